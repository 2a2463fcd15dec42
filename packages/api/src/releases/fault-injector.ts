// The FaultInjector kind: faults for an app's routes, bound to it by the labels app and target.
import { z } from "zod";
import { conditions, opaque } from "../schema/fields.ts";
import { defineResource, type ResourceObject } from "../schema/resource.ts";
import type { IstioHttpFault } from "./foreign.ts";
import { RELEASES_GROUP } from "./keys.ts";
import { int64 } from "./scalars.ts";

const httpPortFault = z.object({
  portSelector: z
    .object({ number: int64.exactOptional().describe("The Service's port.") })
    .nullable()
    .exactOptional()
    .describe("Without it the fault is ignored."),
  fault: opaque<IstioHttpFault>("An Istio HTTPFaultInjection.").exactOptional(),
});

const faultInjectorSpec = z
  .object({ httpPortFaults: z.array(httpPortFault).describe("Of several for one port the last counts.") })
  .describe("Which faults the routes of which port get.");

const faultInjectorStatus = z.object({
  conditions: conditions.exactOptional().describe("InEffect: whether routes have the faults, where, and why not."),
});

export type HttpPortFault = z.output<typeof httpPortFault>;
export type FaultInjectorStatus = z.output<typeof faultInjectorStatus>;

export const faultInjectorResource = defineResource({
  group: RELEASES_GROUP,
  version: "v1alpha1",
  kind: "FaultInjector",
  plural: "faultinjectors",
  singular: "faultinjector",
  shortNames: [],
  categories: ["chaski"],
  description: "Faults that an app's routes inject, for tests of its callers.",
  spec: faultInjectorSpec,
  status: faultInjectorStatus,
  columns: [
    { name: "In effect", type: "string", jsonPath: '.status.conditions[?(@.type=="InEffect")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});

export const FaultInjector = faultInjectorResource.of;
export type FaultInjector = ResourceObject<typeof faultInjectorSpec, typeof faultInjectorStatus>;
