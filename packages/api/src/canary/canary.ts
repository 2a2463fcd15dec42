// The Canary kind: a batched release of plain Deployments in one cluster. docs/canary.md tells how it behaves.
import type { PodTemplateSpec } from "@chaski/kube";
import { z } from "zod";
import { conditions, gates, opaque } from "../schema/fields.ts";
import { defineResource, type ResourceObject } from "../schema/resource.ts";
import { CANARY_GROUP } from "./keys.ts";

export const BATCHES_MAX = 10_000;
export const REPLICAS_MAX = 10_000;

export const canaryTypes = ["NormalDeploy", "CanaryDeploy", "CanaryRollback"] as const;
export const pauseTypes = ["First", "All", "None"] as const;
export const deletionPolicies = ["Retain", "Delete"] as const;
export const batchModes = ["article", "even"] as const;

const deploymentName = z.string().min(1).max(253);

/** The typed form of the spec. The same fields as strings in `info` mean the same. */
const typedFields = {
  type: z.enum(canaryTypes).describe("What to do: NormalDeploy, CanaryDeploy or CanaryRollback."),
  totalBatches: z.int().min(1).max(BATCHES_MAX).describe("In how many batches the release proceeds."),
  currentBatch: z
    .int()
    .min(1)
    .max(BATCHES_MAX)
    .describe("The highest batch that a person has approved. Raise it to approve, lower it to retreat."),
  pauseType: z
    .enum(pauseTypes)
    .describe("After which batches to wait for approval: First (the default), All, or None."),
  replicas: z.int().min(0).max(REPLICAS_MAX).describe("How many pods serve in total, old and new together."),
  image: z.string().min(1).max(1024).describe("The image to release."),
  cpu: z.string().min(1).max(64).describe("Requested and limiting CPU of the released container."),
  memory: z.string().min(1).max(64).describe("Requested and limiting memory of the released container."),
  newDeploymentName: deploymentName.describe("The Deployment that the release builds; by default the Canary's name."),
  oldDeploymentName: deploymentName.describe("The Deployment that serves now and is drained by the release."),
  rollbackType: z.enum(["NormalDeploy", "CanaryDeploy"]).describe("Which kind of release a CanaryRollback undoes."),
  deletionPolicy: z
    .enum(deletionPolicies)
    .describe(
      "What deleting the Canary does to its Deployments. Retain (the default): the older one serves again and stays. Delete: both go.",
    ),
  batchMode: z
    .enum(batchModes)
    .describe("How batches divide the pods: article (the default; one pod first, the slack last) or even."),
  allowAutoscaler: z.boolean().describe("Go on although an autoscaler targets one of the Deployments."),
} as const;

export const infoKeys = Object.keys(typedFields) as readonly (keyof typeof typedFields)[];

const canarySpec = z
  .object({
    info: z
      .record(z.string().max(63), z.string().max(1024))
      .meta({ maxProperties: 32 })
      .exactOptional()
      .describe("The fields as strings. Give either this or the typed fields, not both."),
    ...(Object.fromEntries(
      Object.entries(typedFields).map(([name, field]) => [name, field.exactOptional()]),
    ) as unknown as { [K in keyof typeof typedFields]: z.ZodExactOptional<(typeof typedFields)[K]> }),
    template: opaque<PodTemplateSpec>(
      "The pod template of a NormalDeploy that has to create its Deployment.",
    ).exactOptional(),
  })
  .describe("What to release and how. Either `info` or the typed fields.");

const canaryStatus = z.object({
  info: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe("The article's keys: batch<N>Status, availableReplicas, rollbackStatus."),
  observedGeneration: z.int().exactOptional(),
  currentBatch: z.int().exactOptional().describe("The batch that the release is in."),
  approvedBatch: z.int().exactOptional().describe("The highest batch approved for this revision."),
  seenCurrentBatch: z.int().exactOptional().describe("The value of currentBatch that was last taken into account."),
  heldBatch: z.int().exactOptional().describe("The batch that a retreat went back to and holds at."),
  rollback: z
    .object({
      request: z.string(),
      image: z.string().exactOptional(),
      cpu: z.string().exactOptional(),
      memory: z.string().exactOptional(),
    })
    .exactOptional()
    .describe("What a rollback in place goes back to, settled when it started."),
  revision: z.string().exactOptional().describe("Hash of the pod template that is being released."),
  image: z.string().exactOptional(),
  type: z.string().exactOptional(),
  availableReplicas: z
    .int()
    .exactOptional()
    .describe("Available pods, old and new together; while batches go on, up to the replicas asked for."),
  batch: z.string().exactOptional().describe("Batch and total, for people: 2/5."),
  paused: z.boolean().exactOptional().describe("Whether the release waits for an approval."),
  conditions: conditions.exactOptional(),
  gates: gates.exactOptional(),
});

export type CanarySpec = z.output<typeof canarySpec>;
export type CanaryStatus = z.output<typeof canaryStatus>;

export const canaryResource = defineResource({
  group: CANARY_GROUP,
  version: "v1alpha1",
  kind: "Canary",
  plural: "canaries",
  singular: "canary",
  shortNames: ["can"],
  categories: ["chaski", "all"],
  description: "A batched release of plain Deployments, with approval, retreat and rollback.",
  spec: canarySpec,
  status: canaryStatus,
  columns: [
    { name: "Type", type: "string", jsonPath: ".status.type" },
    { name: "Batch", type: "string", jsonPath: ".status.batch" },
    { name: "Image", type: "string", jsonPath: ".status.image" },
    { name: "Available", type: "integer", jsonPath: ".status.availableReplicas" },
    { name: "Paused", type: "boolean", jsonPath: ".status.paused" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  rules: [
    {
      rule: "!has(self.spec.currentBatch) || !has(self.spec.totalBatches) || self.spec.currentBatch <= self.spec.totalBatches",
      message: "spec.currentBatch must not exceed spec.totalBatches",
    },
    {
      rule: "!has(self.spec.info) || !(has(self.spec.type) || has(self.spec.image) || has(self.spec.replicas) || has(self.spec.template))",
      message: "give either spec.info or the typed fields, not both",
    },
  ],
});

export const Canary = canaryResource.of;
export type Canary = ResourceObject<typeof canarySpec, typeof canaryStatus>;
