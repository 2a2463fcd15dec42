// The ReleaseManager kind: one per app and target, made by the operator. Its status is the memory of the release.
import { z } from "zod";
import { conditions, gates, timestamp } from "../schema/fields.ts";
import { defineResource, type ResourceObject } from "../schema/resource.ts";
import { RELEASES_GROUP } from "./keys.ts";
import { int32, int64, uint32 } from "./scalars.ts";

const releaseManagerSpec = z
  .object({
    fleet: z.string().describe("The clusters."),
    app: z.string().describe("The app."),
    target: z.string().describe("The environment."),
    variants: z
      .array(z.object({ name: z.string(), enabled: z.boolean() }))
      .exactOptional()
      .describe("Unused."),
  })
  .describe("Which app and target this is about. Written by the operator.");

const seconds = int64.exactOptional();
const latencies = z.object({
  gitCreateSecondsInt: seconds,
  gitDeploySecondsInt: seconds,
  gitCanarySecondsInt: seconds,
  gitPendingReleaseSecondsInt: seconds,
  gitReleaseSecondsInt: seconds,
  revisionDeploySecondsInt: seconds,
  revisionCanarySecondsInt: seconds,
  revisionReleaseSecondsInt: seconds,
  revisionPendingReleaseSecondsInt: seconds,
  revisionRollbackSecondsInt: seconds,
  deploySecondsInt: seconds,
  canarySecondsInt: seconds,
  releaseSecondsInt: seconds,
});

const time = timestamp.nullable().exactOptional();

const incarnationStatus = z.object({
  tag: z.string(),
  state: z.object({ current: z.string(), target: z.string(), lastUpdated: time }),
  currentPercent: uint32,
  peakPercent: uint32,
  wonPercent: uint32.exactOptional().describe("The highest percent while another revision had traffic too."),
  rollbackBase: int32.exactOptional().describe("Pods that all of the traffic needs, estimated when a roll-back began."),
  releaseEligible: z.boolean(),
  triggeredAlerts: z.array(z.string()).exactOptional(),
  lastUpdated: timestamp.nullable().describe("When the percent last changed."),
  gitTimestamp: time,
  revisionTimestamp: time,
  deployingStartTimestamp: time,
  canaryStartTimestamp: time,
  pendingReleaseStartTimestamp: time,
  releaseStartTimestamp: time,
  ttl: int64.exactOptional(),
  metrics: latencies.exactOptional(),
  scale: z.object({ Current: int32, Desired: int32, Peak: int32 }).exactOptional(),
  deleted: z.boolean().exactOptional(),
  unrouted: z
    .array(z.object({ cluster: z.string(), since: timestamp }))
    .exactOptional()
    .describe("Clusters none of whose routes names the tag any more, and since when."),
});

export const CLUSTERS_TOLD_MAX = 128;

const clusterShare = z.object({
  tag: z.string(),
  percent: uint32.describe("Of the traffic, as the live route has it."),
  ready: int32.describe("Pods."),
  desired: int32.describe("Pods."),
});

const clusterStanding = z.object({
  name: z.string(),
  contact: z.enum(["observed", "stale", "unreachable"]),
  standby: z.boolean().exactOptional().describe("It counts for nothing."),
  revisions: z.array(clusterShare).exactOptional().describe("Those with pods or traffic there, sorted by tag."),
});

const releaseManagerStatus = z.object({
  lastUpdated: timestamp.nullable(),
  revisions: z.array(incarnationStatus).exactOptional().describe("Oldest first."),
  clusters: z
    .array(clusterStanding)
    .max(CLUSTERS_TOLD_MAX)
    .exactOptional()
    .describe("What was last seen on each cluster of the fleet; for people, nothing is decided by it."),
  rollback: z
    .object({
      tag: z.string(),
      taker: z.string(),
      since: timestamp,
      progressAt: timestamp,
      stalledAt: timestamp.exactOptional(),
    })
    .exactOptional()
    .describe("The roll-back that runs."),
  orphanedSince: timestamp.exactOptional().describe("Since when no Revision is left although there is traffic."),
  observedGeneration: z.int().exactOptional(),
  conditions: conditions.exactOptional(),
  gates: gates.exactOptional(),
});

export type ReleaseManagerStatus = z.output<typeof releaseManagerStatus>;
export type IncarnationStatus = z.output<typeof incarnationStatus>;
export type ClusterStanding = z.output<typeof clusterStanding>;
export type LatencySeconds = z.output<typeof latencies>;

export const releaseManagerResource = defineResource({
  group: RELEASES_GROUP,
  version: "v1alpha1",
  kind: "ReleaseManager",
  plural: "releasemanagers",
  singular: "releasemanager",
  shortNames: ["rm"],
  categories: ["chaski"],
  description: "The release of one app to one target: written by the operator, read by people.",
  spec: releaseManagerSpec,
  status: releaseManagerStatus,
  columns: [
    { name: "App", type: "string", jsonPath: ".spec.app" },
    { name: "Target", type: "string", jsonPath: ".spec.target" },
    { name: "Fleet", type: "string", jsonPath: ".spec.fleet" },
    { name: "Newest", type: "string", jsonPath: ".status.revisions[-1:].tag" },
    { name: "State", type: "string", jsonPath: ".status.revisions[-1:].state.current" },
    { name: "Percent", type: "integer", jsonPath: ".status.revisions[-1:].currentPercent" },
    { name: "Waits for", type: "string", jsonPath: '.status.conditions[?(@.type=="Released")].message', priority: 1 },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  rules: [
    {
      rule: "self.spec.app == oldSelf.spec.app && self.spec.target == oldSelf.spec.target",
      message: "spec.app and spec.target can't be changed: its namespace is named after them",
    },
  ],
});

export const ReleaseManager = releaseManagerResource.of;
export type ReleaseManager = ResourceObject<typeof releaseManagerSpec, typeof releaseManagerStatus>;
