import { type Definition } from "./definition.ts";
import {
  atomicList,
  boolean,
  choice,
  int32,
  list,
  mapOf,
  object,
  quantity,
  required,
  rule,
  rules,
  string,
  stringMap,
  strings,
} from "./schema.ts";

const common = { group: "keda.sh", versions: ["v1alpha1"], isSpecRequired: true } as const;
const count = { ...int32, minimum: 0 };
const text = { ...string, minLength: 1 };

const scalingRules = object({
  policies: list(
    object({ periodSeconds: int32, type: string, value: int32 }, required("periodSeconds", "type", "value")),
    atomicList,
  ),
  selectPolicy: string,
  stabilizationWindowSeconds: int32,
  tolerance: quantity,
});

const advanced = object({
  horizontalPodAutoscalerConfig: object({
    behavior: object({ scaleDown: scalingRules, scaleUp: scalingRules }),
    name: string,
  }),
  restoreToOriginalReplicaCount: boolean,
  scalingModifiers: object({
    activationTarget: string,
    formula: string,
    metricType: choice("AverageValue", "Value"),
    target: string,
  }),
});

const STRATEGIES = ["static", "currentReplicas", "currentReplicasIfHigher", "currentReplicasIfLower"];

const trigger = object(
  {
    authenticationRef: object(
      { kind: choice("TriggerAuthentication", "ClusterTriggerAuthentication"), name: string },
      required("name"),
    ),
    metadata: stringMap,
    metricType: string,
    name: string,
    type: text,
    useCachedMetrics: boolean,
  },
  required("metadata", "type"),
);

const scaledObject: Definition = {
  ...common,
  kind: "ScaledObject",
  shortNames: ["so"],
  spec: object(
    {
      advanced,
      cooldownPeriod: count,
      fallback: object(
        {
          behavior: { ...choice(...STRATEGIES, "scalingModifiers"), default: "static" },
          failureThreshold: count,
          replicas: count,
        },
        required("failureThreshold", "replicas"),
      ),
      idleReplicaCount: count,
      initialCooldownPeriod: count,
      maxReplicaCount: { ...int32, minimum: 1 },
      minReplicaCount: count,
      pollingInterval: { ...int32, minimum: 1 },
      scaleTargetRef: object(
        { apiVersion: string, envSourceContainerName: string, kind: string, name: text },
        required("name"),
      ),
      triggers: list(trigger, { minItems: 1 }),
    },
    {
      ...required("scaleTargetRef", "triggers"),
      ...rules(
        rule(
          "minReplicaCount must be less than or equal to maxReplicaCount",
          "!has(self.minReplicaCount) || self.minReplicaCount <= (has(self.maxReplicaCount) ? self.maxReplicaCount : 100)",
        ),
      ),
    },
  ),
  status: object({
    conditions: list(
      object({ message: string, reason: string, status: string, type: string }, required("status", "type")),
    ),
    externalMetricNames: strings,
    health: mapOf(object({ numberOfFailures: int32, status: string })),
    hpaName: string,
    originalReplicaCount: int32,
    resourceMetricNames: strings,
    scaleTargetKind: string,
    triggersTypes: string,
  }),
  columns: [
    ["ScaleTargetKind", "string", ".status.scaleTargetKind"],
    ["ScaleTargetName", "string", ".spec.scaleTargetRef.name"],
    ["Min", "integer", ".spec.minReplicaCount"],
    ["Max", "integer", ".spec.maxReplicaCount"],
    ["Ready", "string", '.status.conditions[?(@.type=="Ready")].status'],
  ],
};

const parameterFrom = object({ key: string, name: string, parameter: string }, required("key", "name", "parameter"));

const triggerAuthentication: Definition = {
  ...common,
  kind: "TriggerAuthentication",
  shortNames: ["ta", "triggerauth"],
  spec: object({
    configMapTargetRef: list(parameterFrom),
    podIdentity: object(
      {
        externalID: string,
        identityAuthorityHost: string,
        identityId: string,
        identityOwner: choice("keda", "workload"),
        identityTenantId: string,
        provider: choice("azure-workload", "gcp", "aws", "aws-eks", "none"),
        roleArn: string,
      },
      required("provider"),
    ),
    secretTargetRef: list(parameterFrom),
  }),
  status: object({ scaledjobs: string, scaledobjects: string }),
  columns: [
    ["PodIdentity", "string", ".spec.podIdentity.provider"],
    ["Secret", "string", ".spec.secretTargetRef[*].name"],
  ],
};

export const KEDA: readonly Definition[] = [scaledObject, triggerAuthentication];
