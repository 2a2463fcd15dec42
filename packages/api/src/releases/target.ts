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
    enabled: z.boolean(),
    started: z.boolean(),
    completed: z.boolean(),
    succeeded: z.boolean().exactOptional(),
    timeout: goDuration.nullable().exactOptional().describe("Default: 2h."),
    lastUpdated: timestamp.nullable().exactOptional(),
  })
  .describe("A test outside of the operator, which writes its progress here.");

const pods = {
  sidecars: z.array(opaque<Container>("A container beside the app's own.")).exactOptional(),
  env: z.array(opaque<EnvVar>("An environment variable.")).exactOptional(),
  volumes: z.array(opaque<Volume>("A volume.")).exactOptional(),
  volumeMounts: z.array(opaque<VolumeMount>("A volume mount.")).exactOptional(),
  resources: opaque<ResourceRequirements>("Of the app's container.").exactOptional(),
  livenessProbe: opaque<Probe>("Of the app's container.").exactOptional(),
  readinessProbe: opaque<Probe>("Of the app's container.").exactOptional(),
  lifecycle: opaque<Lifecycle>("Of the app's container.").exactOptional(),
  affinity: opaque<Affinity>("Of the pods.").exactOptional(),
  priorityClassName: z.string().exactOptional(),
  tolerations: z.array(opaque<Toleration>("A toleration.")).exactOptional(),
  schedulerName: z.string().exactOptional(),
  topologySpreadConstraint: opaque<TopologySpreadConstraint>("Of the pods; a single one.").exactOptional(),
  podAnnotations: stringMap.exactOptional(),
  karpenterDoNotDisrupt: z.string().exactOptional().describe("true, or a Go duration."),
  serviceAccountName: z.string().exactOptional(),
};

const mesh = {
  defaultIngressPorts: stringMap.exactOptional().describe("Ingress to the port that owns its default host names."),
  ports: z.array(port).exactOptional(),
  istio: z
    .object({
      trafficPolicy: opaque<IstioTrafficPolicy>("Of the tag's DestinationRule subset.").exactOptional(),
      sidecar: z.object({ egressHosts: z.array(z.string()).exactOptional() }).exactOptional(),
    })
    .meta({ "x-kubernetes-preserve-unknown-fields": true })
    .exactOptional(),
  ambientMesh: z.boolean().exactOptional().describe("Ambient mesh instead of sidecars."),
  waypointHPA: z
    .object({
      minReplicas: int32.nullable().exactOptional(),
      maxReplicas: int32.exactOptional(),
      targetCPUUtilizationPercentage: int32.nullable().exactOptional(),
    })
    .exactOptional(),
  waypointResources: opaque<ResourceRequirements>("Of the waypoint's istio-proxy.").exactOptional(),
};

export const target = z.object({
  name: z.string(),
  fleet: z.string(),
  scale: scaleInfo,
  release: releaseInfo.exactOptional(),
  datadogMonitoring: z.object({ enabled: z.boolean() }).exactOptional(),
  serviceMonitors: z.array(serviceMonitor).exactOptional(),
  serviceLevelObjectives: z.array(serviceLevelObjective).exactOptional(),
  serviceLevelObjectiveLabels: serviceLevelLabels.exactOptional(),
  acceptanceTarget: z.boolean().exactOptional().describe("Alerts may fail the Revision through this target."),
  configSelector: opaque<LabelSelector>("Picks configs: absent selects none, {} all.").nullable().exactOptional(),
  aws: z.object({ iam: z.object({ role_arn: z.string().exactOptional() }).exactOptional() }).exactOptional(),
  alertRules: z.array(opaque<PrometheusAlertRule>("A Prometheus rule.")).exactOptional(),
  ...pods,
  externalTest: externalTest.exactOptional(),
  canary: z
    .object({ percent: uint32, ttl: int64 })
    .exactOptional()
    .describe("Share and length (seconds) of the canary."),
  ...mesh,
  podDisruptionBudget: opaque<PodDisruptionBudgetSpec>("maxUnavailable or minAvailable.").exactOptional(),
});

export type RevisionTarget = z.output<typeof target>;
export type ExternalTest = z.output<typeof externalTest>;
