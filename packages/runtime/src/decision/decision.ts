import type { KubeObject, Ref } from "@chaski/kube";
import type { Entry } from "./entry.ts";
import type { Gate } from "./gate.ts";

/** The name of the delivery cluster among the clusters of a decision. */
export const LOCAL_CLUSTER = "local";

/** What is wanted on one cluster. Entries are applied in order; those that name no `after` do not wait for each other. */
export interface ClusterDesired {
  readonly cluster: string;
  readonly entries: readonly Entry[];
}

/** A small merge patch on an object that belongs to a user, made with the resourceVersion that was decided on. */
export interface ObjectPatch {
  readonly ref: Ref;
  readonly resourceVersion: string;
  readonly patch: Readonly<Record<string, unknown>>;
}

/** A transition, told to people. */
export interface EventNote {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** The identity of what it is about, where that is not the owner. */
  readonly regarding?: KubeObject;
}

/** Nothing more can be done until the object changes. */
export interface Stall {
  readonly reason: string;
  readonly message: string;
}

export interface Decision<Status> {
  /** The whole new status, without gates, which are added to it; undefined leaves both as they are. */
  readonly status?: Status;
  readonly gates: readonly Gate[];
  readonly patches: readonly ObjectPatch[];
  readonly desired: readonly ClusterDesired[];
  readonly events: readonly EventNote[];
  /** Milliseconds since 1970: the next time at which the answer can change by itself. */
  readonly wakeAtMs?: number;
  readonly stalled?: Stall;
}

/** A decision that changes nothing but what is given. */
export function decision<Status>(parts: Partial<Decision<Status>>): Decision<Status> {
  return { gates: [], patches: [], desired: [], events: [], ...parts };
}
