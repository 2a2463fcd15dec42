import { type IncarnationStatus, type ReleaseManager, releaseKeys } from "@chaski/api";
import { keyOf, type ReplicaSet } from "@chaski/kube";
import { isApplied, readState } from "../engine/states.ts";
import type { ClusterWorld } from "../engine/world.ts";
import type { LatePods } from "../pods/late-pods.ts";
import { releaseNameOf } from "./revisions.ts";

/** Asking about pods that nobody waits for would keep the clusters at work for nothing. */
export function withTroubles(
  world: ClusterWorld,
  { metadata, spec, status }: ReleaseManager,
  pods: Pick<LatePods, "troublesOf">,
): ClusterWorld {
  if (world.contact.state !== "observed") return world;
  const awaited = new Set((status?.revisions ?? []).filter(awaitsPods).map(({ tag }) => tag));
  if (status?.rollback) awaited.add(status.rollback.taker);
  const late = world.replicaSets
    .filter(isLate)
    .flatMap(({ metadata: { labels } }) => labels?.[releaseKeys.labels.tag] ?? [])
    .filter((tag) => awaited.has(tag));
  const namespace = releaseNameOf(spec.app, spec.target);
  const podTroubles = pods.troublesOf({ cluster: world.name, namespace, release: keyOf(metadata) }, late);
  return late.length > 0 ? { ...world, podTroubles } : world;
}

function awaitsPods({ state }: IncarnationStatus): boolean {
  const current = readState(state.current);
  return isApplied(current) && current !== "released";
}

function isLate({ spec, status }: ReplicaSet): boolean {
  return (status?.availableReplicas ?? 0) < (spec?.replicas ?? 1);
}
