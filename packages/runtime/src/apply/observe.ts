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

/** The fields that are set and that differ. Lists of named things differ thing by thing, others count as one field. */
function changesOf(wanted: unknown, live: unknown, path = ""): readonly FieldChange[] {
  if (isMap(wanted) && (isMap(live) || live === undefined))
    return Object.entries(wanted).flatMap(([field, value]) =>
      changesOf(value, live?.[field], path === "" ? field : `${path}.${field}`),
    );
  const [things, before] = [byName(wanted), byName(live)];
  if (things && before)
    return [...new Set([...things.keys(), ...before.keys()])].flatMap((name) =>
      things.has(name)
        ? changesOf(things.get(name), before.get(name), `${path}[${name}]`)
        : [{ path: `${path}[${name}]`, from: before.get(name), to: undefined }],
    );
  return semanticallyEqual(wanted, live) ? [] : [{ path, from: live, to: wanted }];
}

const NAMES = ["type", "name", "tag"];

/** Undefined where a name is missing or stands for two. */
function byName(list: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!Array.isArray(list) || !list.every(isMap)) return undefined;
  const field = NAMES.find((name) => list.every((thing) => typeof thing[name] === "string"));
  const things = new Map(list.map((thing) => [String(thing[field ?? ""]), thing]));
  return field !== undefined && things.size === list.length ? things : undefined;
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
