import { type Ref, semanticallyEqual } from "@chaski/kube";
import { isMap } from "./payload.ts";
import type { Writer } from "./writer.ts";

/** One field that would change. */
export interface FieldChange {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** What would have been written. */
export interface ObservedChange {
  readonly cluster: string;
  readonly ref: Ref;
  readonly verb: "create" | "apply" | "patch" | "scale" | "remove";
  readonly fields: readonly FieldChange[];
}

/** Thrown in place of a write: what comes after it in the same piece of work depends on its answer. */
export class WouldWriteError extends Error {
  readonly change: ObservedChange;

  constructor(change: ObservedChange) {
    super(wordsOf(change));
    this.change = change;
  }
}

/** Writes nothing; tells what it was asked to write. */
export function observingWriter(cluster: string, report: (change: ObservedChange) => void): Writer {
  const tell = (ref: Ref, verb: ObservedChange["verb"], fields: readonly FieldChange[]): Promise<never> => {
    const change = { cluster, ref, verb, fields: shown(ref, fields) };
    report(change);
    return Promise.reject(new WouldWriteError(change));
  };
  return {
    apply: (ref, { object, live }) => tell(ref, live ? "apply" : "create", changesOf(object, live ?? {})),
    patch: (ref, _type, patch) => tell(ref, "patch", changesOf(patch, {})),
    scale: (ref, from, replicas) => tell(ref, "scale", [{ path: "spec.replicas", from: from.replicas, to: replicas }]),
    remove: (ref) => tell(ref, "remove", []),
  };
}

/** The fields that are set and that differ. Lists count as one field. */
function changesOf(wanted: unknown, live: unknown, path = ""): readonly FieldChange[] {
  if (isMap(wanted) && (isMap(live) || live === undefined))
    return Object.entries(wanted).flatMap(([field, value]) =>
      changesOf(value, live?.[field], path === "" ? field : `${path}.${field}`),
    );
  return semanticallyEqual(wanted, live) ? [] : [{ path, from: live, to: wanted }];
}

const SERVER_FIELDS = /^(?:apiVersion|kind|metadata\.(?:uid|resourceVersion|name|namespace))$/;

/** Of a Secret only the names of the fields. */
function shown(ref: Ref, changes: readonly FieldChange[]): readonly FieldChange[] {
  const own = changes.filter(({ path }) => !SERVER_FIELDS.test(path));
  if (ref.kind.kind !== "Secret") return own;
  return own.map(({ path }) => ({ path, from: "(hidden)", to: "(hidden)" }));
}

function wordsOf({ verb, fields }: ObservedChange): string {
  const words = fields.map(({ path, from, to }) => `${path}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`);
  return [`would ${verb}`, ...words].join(", ").slice(0, 1_024);
}
