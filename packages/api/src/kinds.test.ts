import { expect, test } from "vitest";
import { canaryResource, clusterResource, releaseManagerResource, revisionResource } from "./index.ts";
import { Canary, Cluster, ReleaseManager, Revision } from "./kinds.ts";

test.each([
  [Canary, canaryResource.of],
  [Cluster, clusterResource.of],
  [ReleaseManager, releaseManagerResource.of],
  [Revision, revisionResource.of],
])("%j is the kind that the schema belongs to", (kind, resource) => {
  expect(kind).toEqual(resource);
});
