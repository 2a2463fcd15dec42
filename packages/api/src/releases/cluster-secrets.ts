// The ClusterSecrets kind: Secrets of the delivery cluster, copied to clusters.
import { z } from "zod";
import { conditions } from "../schema/fields.ts";
import { defineResource, type ResourceObject } from "../schema/resource.ts";
import { RELEASES_GROUP } from "./keys.ts";
import { stringMap } from "./scalars.ts";

const selectors = {
  labelSelector: z.string().exactOptional().describe("As kubectl takes it: a=b,c in (d,e)."),
  fieldSelector: z.string().exactOptional().describe("As kubectl takes it: metadata.name=x."),
};

const clusterSecretsSpec = z
  .object({
    source: z
      .object({ namespace: z.string().describe("Where the Secrets are."), ...selectors })
      .describe("Which Secrets of the delivery cluster."),
    target: z
      .object({
        namespace: z.string().describe("Where the copies go."),
        ...selectors,
        labels: stringMap.exactOptional().describe("Of the copies."),
        annotations: stringMap.exactOptional().describe("Of the copies."),
      })
      .describe("Where to; the selectors choose Clusters."),
  })
  .describe("What to copy, and where to.");

const clusterSecretsStatus = z.object({
  secrets: z.array(z.string()).exactOptional(),
  conditions: conditions.exactOptional(),
});

export type ClusterSecretsStatus = z.output<typeof clusterSecretsStatus>;

export const clusterSecretsResource = defineResource({
  group: RELEASES_GROUP,
  version: "v1alpha1",
  kind: "ClusterSecrets",
  plural: "clustersecrets",
  singular: "clustersecrets",
  shortNames: [],
  categories: ["chaski"],
  description: "Secrets of the delivery cluster, copied to the clusters that the selectors choose.",
  spec: clusterSecretsSpec,
  status: clusterSecretsStatus,
  columns: [{ name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
});

export const ClusterSecrets = clusterSecretsResource.of;
export type ClusterSecrets = ResourceObject<typeof clusterSecretsSpec, typeof clusterSecretsStatus>;
