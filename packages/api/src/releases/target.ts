import type {
  Affinity,
  Container,
  EnvVar,
  LabelSelector,
  Lifecycle,
  PodDisruptionBudgetSpec,
  Probe,
  ResourceRequirements,
  Toleration,
  TopologySpreadConstraint,
  Volume,
  VolumeMount,
} from "@chaski/kube";
import { z } from "zod";
import { opaque, timestamp } from "../schema/fields.ts";
import type { IstioTrafficPolicy, PrometheusAlertRule } from "./foreign.ts";
import { port } from "./port.ts";
import { releaseInfo } from "./release-info.ts";
import { goDuration, int32, int64, stringMap, uint32 } from "./scalars.ts";
import { scaleInfo } from "./scale.ts";
import { serviceLevelLabels, serviceLevelObjective, serviceMonitor } from "./service-level.ts";

const externalTest = z
  .object({
    enabled: z.boolean().describe("Nothing is released before the test has succeeded."),
    started: z.boolean().describe("Written by the test."),
    completed: z.boolean().describe("Written by the test."),
    succeeded: z.boolean().exactOptional().describe("Written by the test."),
    timeout: goDuration.nullable().exactOptional().describe("Default: 2h."),
    lastUpdated: timestamp.nullable().exactOptional().describe("From here the timeout counts."),
  })
  .describe("A test outside of the operator, which writes its progress here.");

const pods = {
  sidecars: z
    .array(opaque<Container>("A container beside the app's own."))
    .exactOptional()
    .describe("Beside the app's container, with its environment and mounts."),
  env: z.array(opaque<EnvVar>("An environment variable.")).exactOptional().describe("Of every container."),
  volumes: z.array(opaque<Volume>("A volume.")).exactOptional().describe("Of the pods."),
  volumeMounts: z.array(opaque<VolumeMount>("A volume mount.")).exactOptional().describe("Of every container."),
  resources: opaque<ResourceRequirements>("Of the app's container.").exactOptional(),
  livenessProbe: opaque<Probe>("Of the app's container.").exactOptional(),
  readinessProbe: opaque<Probe>("Of the app's container.").exactOptional(),
  lifecycle: opaque<Lifecycle>("Of the app's container.").exactOptional(),
  affinity: opaque<Affinity>("Of the pods.").exactOptional(),
  priorityClassName: z.string().exactOptional().describe("Of the pods."),
  tolerations: z.array(opaque<Toleration>("A toleration.")).exactOptional().describe("Of the pods."),
  schedulerName: z.string().exactOptional().describe("Of the pods."),
  topologySpreadConstraint: opaque<TopologySpreadConstraint>("Of the pods; a single one.").exactOptional(),
  podAnnotations: stringMap.exactOptional().describe("Of the pods."),
  karpenterDoNotDisrupt: z.string().exactOptional().describe("true, or a Go duration."),
  serviceAccountName: z.string().exactOptional().describe("Of the pods."),
};

const mesh = {
  defaultIngressPorts: stringMap.exactOptional().describe("Ingress to the port that owns its default host names."),
  ports: z.array(port).exactOptional().describe("What the app listens on; without any, nothing is routed."),
  istio: z
    .object({
      trafficPolicy: opaque<IstioTrafficPolicy>("Of the tag's DestinationRule subset.").exactOptional(),
      sidecar: z.object({ egressHosts: z.array(z.string()).exactOptional() }).exactOptional(),
    })
    .meta({ "x-kubernetes-preserve-unknown-fields": true })
    .exactOptional()
    .describe("trafficPolicy: of the tag's DestinationRule subset. sidecar.egressHosts: what the proxies know."),
  ambientMesh: z.boolean().exactOptional().describe("Ambient mesh instead of sidecars."),
  waypointHPA: z
    .object({
      minReplicas: int32.nullable().exactOptional().describe("With less than 2 the defaults are used."),
      maxReplicas: int32.exactOptional().describe("Default: 20."),
      targetCPUUtilizationPercentage: int32.nullable().exactOptional().describe("Default: 70."),
    })
    .exactOptional()
    .describe("How the waypoint scales."),
  waypointResources: opaque<ResourceRequirements>("Of the waypoint's istio-proxy.").exactOptional(),
};

export const target = z.object({
  name: z.string().describe("The environment; the namespace is named after it and the app."),
  fleet: z.string().describe("The clusters that it runs on."),
  scale: scaleInfo,
  release: releaseInfo.exactOptional(),
  datadogMonitoring: z.object({ enabled: z.boolean() }).exactOptional().describe("Datadog judges the canary."),
  serviceMonitors: z.array(serviceMonitor).exactOptional().describe("What Prometheus scrapes."),
  serviceLevelObjectives: z.array(serviceLevelObjective).exactOptional().describe("What the revision is judged by."),
  serviceLevelObjectiveLabels: serviceLevelLabels.exactOptional().describe("Of every objective."),
  acceptanceTarget: z.boolean().exactOptional().describe("Alerts may fail the Revision through this target."),
  configSelector: opaque<LabelSelector>("Picks configs: absent selects none, {} all.").nullable().exactOptional(),
  aws: z
    .object({ iam: z.object({ role_arn: z.string().exactOptional() }).exactOptional() })
    .exactOptional()
    .describe("iam.role_arn: the role of the pods."),
  alertRules: z
    .array(opaque<PrometheusAlertRule>("A Prometheus rule."))
    .exactOptional()
    .describe("Alerts of the app. Legacy: use serviceLevelObjectives."),
  ...pods,
  externalTest: externalTest.exactOptional(),
  canary: z
    .object({
      percent: uint32.describe("Of the traffic, at most. 0: no canary."),
      ttl: int64.describe("Seconds, from its first traffic. 0: no canary."),
    })
    .exactOptional()
    .describe("Share and length (seconds) of the canary."),
  ...mesh,
  podDisruptionBudget: opaque<PodDisruptionBudgetSpec>("maxUnavailable or minAvailable.").exactOptional(),
});

export type RevisionTarget = z.output<typeof target>;
export type ExternalTest = z.output<typeof externalTest>;
