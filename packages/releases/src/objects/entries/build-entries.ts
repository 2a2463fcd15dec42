// From what the engine decided to what is done on each cluster. Every object that we own there is spoken of.
import type { Entry } from "@chaski/runtime/decision";
import type { AppPlan, ClusterPlan } from "../../plan/plan.ts";
import { type AppEntries, buildAppEntries } from "./app-entries.ts";
import { endingEntries } from "./ending-entries.ts";
import { leftoverEntries } from "./leftovers.ts";
import { ownedIndex, refKey } from "./owned.ts";
import { revisionEntries } from "./revision-entries.ts";
import { routeEntries } from "./route-entries.ts";

export interface ReleasePlan {
  readonly app: AppPlan;
  readonly clusters: readonly ClusterPlan[];
}

/** By cluster. */
export function buildEntries({ app, clusters }: ReleasePlan): Readonly<Record<string, readonly Entry[]>> {
  const built = buildAppEntries(app);
  return Object.fromEntries(clusters.map((cluster) => [cluster.cluster, clusterEntries(built, cluster)]));
}

function clusterEntries({ app, shared, sharedKeys, revisions }: AppEntries, cluster: ClusterPlan): readonly Entry[] {
  const owned = ownedIndex(cluster.owned);
  const site = { app, cluster, owned };
  const applied = cluster.revisions.flatMap((size) => {
    const objects = revisions.get(size.tag);
    return objects ? revisionEntries(site, objects, size) : [];
  });
  const route = routeEntries(app, cluster);
  const spokenOf = new Set([...sharedKeys, ...[...route, ...applied].map(({ ref }) => refKey(ref))]);
  // A config that another tag chooses too is applied for that one.
  const ended = cluster.endings
    .flatMap((ending) => endingEntries(site, ending))
    .filter(({ ref }) => !spokenOf.has(refKey(ref)));
  for (const { ref } of ended) spokenOf.add(refKey(ref));
  return [...route, ...shared, ...applied, ...ended, ...leftoverEntries(site, spokenOf)];
}
