// The Revision kind: one build of one app, for all of its targets.
import { z } from "zod";
import { conditions } from "../schema/fields.ts";
import { defineResource, type ResourceObject } from "../schema/resource.ts";
import { RELEASES_GROUP } from "./keys.ts";
import { int32, uint32 } from "./scalars.ts";
import { target } from "./target.ts";

const revisionSpec = z
  .object({
    app: z.object({
      name: z.string().describe("The app; also the name of its Service."),
      ref: z.string().describe("The git ref that was built."),
      tag: z.string().describe("Identity of the build; also the name of its ReplicaSets."),
      image: z.string().describe("What its containers run."),
    }),
    targets: z.array(target).describe("Where it runs, and how it is released there."),
    failed: z.boolean().describe("The build is bad everywhere. Set by the operator or by a person."),
    ignoreSLOs: z.boolean().exactOptional().describe("Firing alerts do not fail it."),
    ignoreDatadogCanary: z.boolean().exactOptional().describe("Datadog's verdict does not fail it."),
    canaryWithSLIRules: z.boolean().exactOptional().describe("Judge by the canary alerts instead of the SLO alerts."),
    sentry: z.object({ release: z.boolean().exactOptional() }).exactOptional().describe("Whether Sentry is told."),
    tagRoutingHeader: z.string().exactOptional().describe("A request with this header and the tag gets this build."),
    disableMirroring: z.boolean().exactOptional().describe("Mirrors get no copy of it."),
    eventDriven: z.boolean().exactOptional().describe("Runs no pods on clusters with disableEventDriven."),
  })
  .describe("One build of one app.");

const revisionStatus = z.object({
  sentry: z.object({ release: z.boolean().exactOptional() }),
  targets: z.array(
    z.object({
      name: z.string(),
      scale: z.object({ current: int32, desired: int32, peak: int32 }),
      release: z.object({ currentPercent: uint32, peakPercent: uint32 }),
      state: z.string(),
    }),
  ),
  conditions: conditions.exactOptional(),
});

export type RevisionSpec = z.output<typeof revisionSpec>;
export type RevisionStatus = z.output<typeof revisionStatus>;

export const revisionResource = defineResource({
  group: RELEASES_GROUP,
  version: "v1alpha1",
  kind: "Revision",
  plural: "revisions",
  singular: "revision",
  shortNames: ["rev"],
  categories: ["chaski"],
  description: "One build (tag) of one app, and how each of its targets runs and releases it.",
  spec: revisionSpec,
  status: revisionStatus,
  columns: [
    { name: "App", type: "string", jsonPath: ".spec.app.name" },
    { name: "Tag", type: "string", jsonPath: ".spec.app.tag" },
    { name: "Failed", type: "boolean", jsonPath: ".spec.failed" },
    { name: "States", type: "string", jsonPath: ".status.targets[*].state" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  rules: [
    {
      rule: "self.spec.app.name == oldSelf.spec.app.name && self.spec.app.tag == oldSelf.spec.app.tag",
      message: "spec.app.name and spec.app.tag can't be changed: create another Revision",
    },
  ],
});

export const Revision = revisionResource.of;
export type Revision = ResourceObject<typeof revisionSpec, typeof revisionStatus>;
