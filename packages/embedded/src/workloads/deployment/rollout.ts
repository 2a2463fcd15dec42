import type { Deployment, ReplicaSet } from "@chaski/kube";
import { timeOf } from "../pods/pod-facts.ts";
import { replicasOf } from "./bounds.ts";
import { isSameTemplate } from "./template-hash.ts";

/** A Deployment and its ReplicaSets, as one look at them found them. */
export interface Rollout {
  readonly deployment: Deployment;
  /** The ReplicaSet of the current template; undefined while there is none. */
  readonly newer: ReplicaSet | undefined;
  /** All others, the oldest first. */
  readonly olders: readonly ReplicaSet[];
}

export function rolloutOf(deployment: Deployment, replicaSets: readonly ReplicaSet[]): Rollout {
  const byAge = oldestFirst(replicaSets);
  const newer = byAge.find(({ spec }) => isSameTemplate(spec.template, deployment.spec.template));
  return { deployment, newer, olders: byAge.filter((replicaSet) => replicaSet !== newer) };
}

export function allOf({ newer, olders }: Rollout): readonly ReplicaSet[] {
  return newer ? [...olders, newer] : olders;
}

export function activeOf(replicaSets: readonly ReplicaSet[]): ReplicaSet[] {
  return replicaSets.filter((replicaSet) => replicasOf(replicaSet) > 0);
}

export function oldestFirst(replicaSets: readonly ReplicaSet[]): ReplicaSet[] {
  return replicaSets.toSorted(
    (left, right) => createdMs(left) - createdMs(right) || (left.metadata.name < right.metadata.name ? -1 : 1),
  );
}

function createdMs({ metadata }: ReplicaSet): number {
  return timeOf(metadata.creationTimestamp);
}

export function wantedIn(replicaSets: readonly ReplicaSet[]): number {
  return sum(replicaSets, replicasOf);
}

export function sum<T>(items: readonly T[], numberOf: (item: T) => number | undefined): number {
  return items.reduce((total, item) => total + (numberOf(item) ?? 0), 0);
}
