// The kinds without their schemas: for whoever only asks the API server and has no time to load the rest.
import { defineKind } from "@chaski/kube";
import type { Canary as CanaryObject } from "./canary/canary.ts";
import type { Cluster as ClusterObject } from "./releases/cluster.ts";
import type { ReleaseManager as ReleaseManagerObject } from "./releases/release-manager.ts";
import type { Revision as RevisionObject } from "./releases/revision.ts";
import { CANARY_GROUP } from "./canary/keys.ts";
import { RELEASES_GROUP } from "./releases/keys.ts";

export * as releaseKeys from "./releases/keys.ts";
export { joinedCluster } from "./releases/joined-cluster.ts";
export type { ClusterStanding, IncarnationStatus } from "./releases/release-manager.ts";
export type { CanaryStatus } from "./canary/canary.ts";

const releases = { group: RELEASES_GROUP, version: "v1alpha1", isNamespaced: true };

export const Canary = defineKind<CanaryObject>({
  group: CANARY_GROUP,
  version: "v1alpha1",
  isNamespaced: true,
  kind: "Canary",
  plural: "canaries",
});
export const Cluster = defineKind<ClusterObject>({ ...releases, kind: "Cluster", plural: "clusters" });
export const ReleaseManager = defineKind<ReleaseManagerObject>({
  ...releases,
  kind: "ReleaseManager",
  plural: "releasemanagers",
});
export const Revision = defineKind<RevisionObject>({ ...releases, kind: "Revision", plural: "revisions" });

export type Canary = CanaryObject;
export type Cluster = ClusterObject;
export type ReleaseManager = ReleaseManagerObject;
export type Revision = RevisionObject;
