import type { KubeObject, Ref } from "@chaski/kube";

/** On a Namespace: it was not there before us, so it may be removed. */
export const MADE_ANNOTATION = "chaski.dev/made";

/** What a decision wants done about one object of one cluster. */
export type Entry = ApplyEntry | ScaleEntry | KeepEntry | RemoveEntry;

interface Ordered {
  /** Entries of the same cluster that must have succeeded, in this pass or before; their failure stops this one only. */
  readonly after?: readonly Ref[];
}

/** Server-side apply of exactly these fields. */
export interface ApplyEntry extends Ordered {
  readonly verb: "apply";
  readonly ref: Ref;
  readonly object: KubeObject;
  /** Fields given once, when the object is created, under the manager `chaski-initial`, and never applied again. */
  readonly initial?: Readonly<Record<string, unknown>>;
  /** Applied with the live resourceVersion: a write that was decided on an older route is refused. */
  readonly isFenced?: boolean;
  /** The data of a Secret or ConfigMap on the delivery cluster, read by the applier alone. */
  readonly copyOf?: CopySource;
  /** Lower first within a cluster: writes that take weight away go before all others. */
  readonly priority?: number;
}

export interface CopySource {
  readonly ref: Ref;
  /** Hash of the content that was decided on, so that the copy is written when the content changes. */
  readonly hash: string;
}

/** Replicas through the scale subresource, with the live resourceVersion. */
export interface ScaleEntry extends Ordered {
  readonly verb: "scale";
  readonly ref: Ref;
  readonly replicas: number;
}

/** Accounts for an object that is ours and stays as it is. */
export interface KeepEntry {
  readonly verb: "keep";
  readonly ref: Ref;
}

export interface RemoveEntry extends Ordered {
  readonly verb: "remove";
  readonly ref: Ref;
  /** Shown to people: why it may go. */
  readonly because: string;
}

export type ApplyOptions = Omit<ApplyEntry, "verb" | "ref" | "object">;

export function apply(ref: Ref, object: KubeObject, options: ApplyOptions = {}): ApplyEntry {
  return { verb: "apply", ref, object, ...options };
}

export function scale(ref: Ref, replicas: number, after?: readonly Ref[]): ScaleEntry {
  return after ? { verb: "scale", ref, replicas, after } : { verb: "scale", ref, replicas };
}

export function keep(ref: Ref): KeepEntry {
  return { verb: "keep", ref };
}

export function remove(ref: Ref, because: string, after?: readonly Ref[]): RemoveEntry {
  return after ? { verb: "remove", ref, because, after } : { verb: "remove", ref, because };
}
