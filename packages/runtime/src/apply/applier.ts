import type { Kind, KubeObject } from "@chaski/kube";
import type { Place } from "../clusters/place.ts";
import type { ClusterResult, Decision } from "../decision/index.ts";

/** What one pass has decided, and for whom. */
export interface Pass<Status> {
  readonly controller: string;
  /** Of the owner. */
  readonly kind: Kind;
  /** The controller's own declaration: where to look for what this owner has on a cluster. */
  readonly owns: readonly { readonly kind: Kind; readonly on: Place }[];
  readonly owner: Readonly<KubeObject>;
  readonly decision: Decision<Status>;
  readonly traceId: string;
  /** Aborts when the pass has taken too long. */
  readonly signal?: AbortSignal;
}

export type CommitOutcome =
  /** Status and patches are as decided; the lanes have what they shall bring about. */
  | { readonly outcome: "committed"; readonly hasChanged: boolean }
  /** The object moved on: decide again. Nothing was applied. */
  | { readonly outcome: "superseded" };

/** Commits a decision to the delivery cluster, then brings every cluster to it. */
export interface Applier {
  /** Returns after the commit; the lanes work on by themselves. */
  commit<Status>(pass: Pass<Status>): Promise<CommitOutcome>;
  /** The latest result per cluster of this owner. */
  results(controller: string, ownerKey: string): readonly ClusterResult[];
  /** Called when a lane has finished with a result that differs from the last one. */
  onResult(wake: (controller: string, ownerKey: string) => void): void;
  /** The owner is gone: its results and what was learned of its objects may go too. */
  forget(controller: string, ownerKey: string): void;
  /** Waits until every lane is idle. */
  drain(signal: AbortSignal): Promise<void>;
}
