// The Mirror kind: another delivery cluster that gets copies of Revisions. It mirrors no traffic.
import { z } from "zod";
import { conditions } from "../schema/fields.ts";
import { defineResource, type ResourceObject } from "../schema/resource.ts";
import { RELEASES_GROUP } from "./keys.ts";

const mirrorSpec = z
  .object({
    clusterName: z.string().describe("The Cluster that gets the copies."),
    additionalConfigSelectors: z
      .array(
        z.object({
          namespace: z.string().exactOptional().describe("Empty: all."),
          labelSelector: z.string().exactOptional().describe("As kubectl takes it."),
          appLabelName: z.string().describe("The label that has the app."),
          tagLabelName: z.string().describe("The label that has the tag."),
        }),
      )
      .exactOptional()
      .describe("More ConfigMaps and Secrets that go with a Revision."),
  })
  .describe("Where Revisions are copied to.");

const mirrorStatus = z.object({ conditions: conditions.exactOptional() });

export type MirrorStatus = z.output<typeof mirrorStatus>;

export const mirrorResource = defineResource({
  group: RELEASES_GROUP,
  version: "v1alpha1",
  kind: "Mirror",
  plural: "mirrors",
  singular: "mirror",
  shortNames: [],
  categories: ["chaski"],
  description: "A delivery cluster to which Revisions are copied.",
  spec: mirrorSpec,
  status: mirrorStatus,
  columns: [
    { name: "Cluster", type: "string", jsonPath: ".spec.clusterName" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});

export const Mirror = mirrorResource.of;
export type Mirror = ResourceObject<typeof mirrorSpec, typeof mirrorStatus>;
