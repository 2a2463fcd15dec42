// Who belongs to a release: the clusters of its fleet, the FaultInjectors that name it.
import { Cluster, FaultInjector, type ReleaseManager, releaseKeys } from "@chaski/api";
import type { Caches } from "@chaski/runtime";
import { isInFleet } from "./cluster-source.ts";

export function clustersOfFleet(caches: Caches, { metadata, spec }: ReleaseManager): readonly Cluster[] {
  return caches
    .of(Cluster)
    .inNamespace(metadata.namespace ?? "")
    .list()
    .filter((cluster) => cluster.metadata.labels?.[releaseKeys.labels.fleet] === spec.fleet)
    .filter(isInFleet)
    .toSorted(byName);
}

/** By name: of several faults for one port the last counts. */
export function injectorsOf(caches: Caches, release: ReleaseManager): readonly FaultInjector[] {
  return caches
    .of(FaultInjector)
    .inNamespace(release.metadata.namespace ?? "")
    .list()
    .filter((injector) => isBoundTo(injector, release))
    .toSorted(byName);
}

/** An empty target label means every target of the app; without the label it is bound to nothing. */
export function isBoundTo({ metadata: { labels = {} } }: FaultInjector, { spec }: ReleaseManager): boolean {
  const target = labels[releaseKeys.labels.target];
  return labels[releaseKeys.labels.app] === spec.app && (target === "" || target === spec.target);
}

export function byName(a: { metadata: { name: string } }, b: { metadata: { name: string } }): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
