// The Cluster kind: a cluster that runs workloads. Its fleet is a label, its credentials a Secret of the same name.
import { z } from "zod";
import { conditions } from "../schema/fields.ts";
import { defineResource, type ResourceObject } from "../schema/resource.ts";
import { RELEASES_GROUP } from "./keys.ts";

const ingress = z.object({
  dnsName: z.string().describe("Unused."),
  gateway: z.string().exactOptional().describe("The Istio Gateway that routes name."),
  defaultDomains: z.array(z.string()).describe("Under which every app has a host name."),
});

const clusterSpec = z
  .object({
    enabled: z.boolean().describe("Whether releases use it."),
    hotStandby: z.boolean().exactOptional().describe("Gets every object, but counts for nothing."),
    config: z
      .object({ server: z.string(), "certificate-authority-data": z.string().meta({ format: "byte" }) })
      .exactOptional()
      .describe("Where its API server is; the credentials are in the Secret of the same name."),
    scalingFactorString: z.string().nullable().exactOptional().describe("Default: 1.0."),
    ingresses: z.object({ public: ingress, private: ingress }).describe("Where requests come in."),
    enableDevRoutes: z
      .boolean()
      .exactOptional()
      .describe("Requests with a certain header go to the developers' service."),
    devRouteTagTemplate: z.string().exactOptional().describe("That header's name, such as dev-{{.App}}-tag."),
    disableEventDriven: z.boolean().exactOptional().describe("Event-driven revisions run no pods here."),
  })
  .describe("How to reach the cluster and what it takes part in.");

const clusterStatus = z.object({
  kubernetes: z.object({ version: z.string(), ready: z.boolean() }).exactOptional(),
  conditions: conditions.exactOptional(),
});

export type ClusterSpec = z.output<typeof clusterSpec>;
export type ClusterStatus = z.output<typeof clusterStatus>;
export type ClusterIngress = z.output<typeof ingress>;

export const clusterResource = defineResource({
  group: RELEASES_GROUP,
  version: "v1alpha1",
  kind: "Cluster",
  plural: "clusters",
  singular: "cluster",
  shortNames: [],
  categories: ["chaski"],
  description: "A cluster that runs workloads.",
  spec: clusterSpec,
  status: clusterStatus,
  columns: [
    { name: "Fleet", type: "string", jsonPath: ".metadata.labels.picchu\\.medium\\.engineering/fleet" },
    { name: "Enabled", type: "boolean", jsonPath: ".spec.enabled" },
    { name: "Ready", type: "boolean", jsonPath: ".status.kubernetes.ready" },
    { name: "Version", type: "string", jsonPath: ".status.kubernetes.version" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});

export const Cluster = clusterResource.of;
export type Cluster = ResourceObject<typeof clusterSpec, typeof clusterStatus>;
