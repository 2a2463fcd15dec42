// What is seen of a release on each cluster, for people: no decision reads it back.
import { CLUSTERS_TOLD_MAX, type ClusterStanding } from "@chaski/api";
import { podsByTag } from "./incarnation.ts";
import type { ClusterWorld, ReleaseWorld } from "./world.ts";

export function standingsOf({ clusters }: ReleaseWorld): ClusterStanding[] {
  return clusters.slice(0, CLUSTERS_TOLD_MAX).map(standingOf);
}

function standingOf(world: ClusterWorld): ClusterStanding {
  const { name, contact, cluster, route } = world;
  const pods = podsByTag(world);
  const tags = [...new Set([...pods.keys(), ...Object.keys(route?.weights ?? {})])].toSorted();
  const revisions = tags
    .map((tag) => {
      const { available = 0, desired = 0 } = pods.get(tag) ?? {};
      return { tag, percent: route?.weights[tag] ?? 0, ready: available, desired };
    })
    .filter(({ percent, ready, desired }) => percent > 0 || ready > 0 || desired > 0);
  return {
    name,
    contact: contact.state,
    ...(cluster.spec.hotStandby === true ? { standby: true } : {}),
    ...(revisions.length > 0 ? { revisions } : {}),
  };
}
