import { type ControlPlane, startControlPlane } from "@chaski/test/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  apiVersionOf,
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  CustomResourceDefinition,
  Deployment,
  findDisagreement,
  HorizontalPodAutoscaler,
  type Kind,
  type KubeObject,
  Lease,
  LimitRange,
  MutatingWebhookConfiguration,
  Namespace,
  normalizeQuantity,
  type ObjectOf,
  PodDisruptionBudget,
  type PodTemplateSpec,
  ReplicaSet,
  ResourceQuota,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
  ValidatingWebhookConfiguration,
} from "./index.ts";

let plane: ControlPlane;
beforeAll(async () => void (plane = await startControlPlane({ name: "disagreement" })));
afterAll(async () => plane.stop());

const selector = { matchLabels: { app: "web" }, matchExpressions: [{ key: "legacy", operator: "DoesNotExist" }] };
const template: PodTemplateSpec = {
  metadata: { labels: { app: "web" }, annotations: {} },
  spec: {
    containers: [
      {
        name: "web",
        image: "web",
        args: ["--fast"],
        env: [
          { name: "Z", value: "z" },
          { name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
          { name: "CPU", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "0.001" } } },
        ],
        envFrom: [{ secretRef: { name: "env" } }],
        ports: [
          { name: "http", containerPort: 80 },
          { containerPort: 53, protocol: "UDP" },
        ],
        readinessProbe: { httpGet: { path: "/", port: "http" } },
        livenessProbe: { httpGet: { port: 80 }, periodSeconds: 3 },
        resources: { limits: { cpu: "1000m", memory: "1.5Gi" }, requests: { cpu: "100.5m" } },
        securityContext: { runAsNonRoot: true, capabilities: { drop: ["ALL"] } },
        volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
      },
    ],
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { topologyKey: "zone", labelSelector: selector } },
        ],
      },
    },
    nodeSelector: { disk: "fast" },
    tolerations: [{ key: "spot", operator: "Exists" }],
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway", labelSelector: selector },
    ],
    volumes: [
      { name: "tmp", emptyDir: {} },
      { name: "size", emptyDir: { sizeLimit: "1024Mi" } },
      { name: "config", configMap: { name: "config", items: [{ key: "a", path: "a" }] } },
      { name: "token", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } },
    ],
  },
};
const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] }];
const subjects = [{ kind: "ServiceAccount", name: "web", namespace: "default" }];
const webhook = {
  name: "web.chaski.dev",
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  clientConfig: { service: { namespace: "default", name: "web" } },
  rules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] }],
};

interface Sample {
  readonly kind: Kind;
  readonly content: object;
  readonly name?: string;
}

/** The content is typed by the kind; apiVersion, kind and name are the same for all. */
function sample<K extends Kind>(kind: K, content: Omit<ObjectOf<K>, keyof KubeObject>, name = "web"): Sample {
  return { kind, content, name };
}

const samples: readonly Sample[] = [
  sample(Namespace, {}),
  sample(ConfigMap, { data: { a: "1" }, binaryData: {} }),
  sample(Secret, { type: "Opaque", data: { a: "MQ==" } }),
  sample(ServiceAccount, { imagePullSecrets: [{ name: "pull" }] }),
  sample(Service, {
    spec: {
      selector: { app: "web" },
      ports: [
        { name: "http", port: 80, targetPort: "http" },
        { name: "dns", port: 53, protocol: "UDP" },
      ],
    },
  }),
  sample(LimitRange, { spec: { limits: [{ type: "Container", default: { cpu: "0.5" }, max: { memory: "2048Mi" } }] } }),
  sample(ResourceQuota, { spec: { hard: { pods: "1000", "limits.cpu": "1500m" } } }),
  sample(Deployment, { spec: { replicas: 0, selector, template, strategy: { rollingUpdate: { maxSurge: 1 } } } }),
  sample(ReplicaSet, { spec: { replicas: 0, selector, template } }),
  sample(StatefulSet, {
    spec: {
      replicas: 0,
      serviceName: "web",
      selector,
      template,
      volumeClaimTemplates: [
        {
          apiVersion: "v1",
          kind: "PersistentVolumeClaim",
          metadata: { name: "data" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } },
        },
      ],
    },
  }),
  sample(HorizontalPodAutoscaler, {
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      minReplicas: 1,
      maxReplicas: 3,
      metrics: [
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
        { type: "Pods", pods: { metric: { name: "rps" }, target: { type: "AverageValue", averageValue: "0.5" } } },
      ],
      behavior: { scaleDown: { policies: [{ type: "Pods", value: 1, periodSeconds: 60 }] } },
    },
  }),
  sample(PodDisruptionBudget, { spec: { maxUnavailable: "25%", selector } }),
  sample(Role, { rules }),
  sample(RoleBinding, { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "web" }, subjects }),
  sample(ClusterRole, { rules }),
  sample(ClusterRoleBinding, {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "web" },
    subjects: [...subjects, { kind: "Group", name: "ops", apiGroup: "rbac.authorization.k8s.io" }],
  }),
  sample(Lease, { spec: { holderIdentity: "a", leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000000Z" } }),
  sample(ValidatingWebhookConfiguration, { webhooks: [webhook] }),
  sample(MutatingWebhookConfiguration, {
    webhooks: [{ ...webhook, matchConditions: [{ name: "a", expression: "true" }] }],
  }),
  sample(
    CustomResourceDefinition,
    {
      spec: {
        group: "example.com",
        names: { kind: "Widget", plural: "widgets" },
        scope: "Namespaced",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
              },
            },
          },
        ],
      },
    },
    "widgets.example.com",
  ),
];

function pathOf({ group, version, plural, isNamespaced }: Kind, name: string): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}/${isNamespaced ? "namespaces/default/" : ""}${plural}/${name}`;
}

describe("what was applied and what the API server answers do not disagree", () => {
  test.each(samples.map((each) => ({ ...each, what: each.kind.kind })))(
    "$what",
    async ({ kind, content, name = "web" }) => {
      const desired = {
        apiVersion: apiVersionOf(kind),
        kind: kind.kind,
        metadata: { name, labels: { app: "web" }, annotations: {} },
        ...content,
      };
      const answer = await plane.call({
        method: "PATCH",
        path: `${pathOf(kind, name)}?fieldManager=test&force=true`,
        contentType: "application/apply-patch+yaml",
        body: desired,
      });
      expect(findDisagreement(desired, answer)).toBeUndefined();
      expect(findDisagreement(desired, await plane.call({ path: pathOf(kind, name) }))).toBeUndefined();
    },
  );
});

test.each(["1.500", "+1", "1E3", "1000m", "1.5Gi", "12e-1", "1000Ki"])(
  "an API server answers the quantity %s as we expect it",
  async (text) => {
    const answer = await plane.call<LimitRange>({
      method: "POST",
      path: "/api/v1/namespaces/default/limitranges?dryRun=All",
      body: {
        apiVersion: "v1",
        kind: "LimitRange",
        metadata: { name: "quantity" },
        spec: { limits: [{ type: "Container", max: { "example.com/x": text } }] },
      },
    });
    expect(normalizeQuantity(text)).toEqual({ ok: true, value: answer.spec.limits[0]?.max?.["example.com/x"] });
  },
);
