import {
  ConfigMap,
  ControllerRevision,
  Deployment,
  HorizontalPodAutoscaler,
  type Kind,
  type KubeObject,
  Namespace,
  PodDisruptionBudget,
  ReplicaSet,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
} from "@chaski/kube";
import { type ApplyEntry, type ApplyOptions, apply } from "@chaski/runtime";
import { Cargo } from "./voyage.ts";

/** Every built-in kind that the project writes, and a custom one. */
export const everyKind = [
  Namespace,
  ServiceAccount,
  Role,
  RoleBinding,
  ConfigMap,
  Secret,
  Service,
  PodDisruptionBudget,
  ReplicaSet,
  Deployment,
  HorizontalPodAutoscaler,
  ControllerRevision,
  Cargo,
] as unknown as readonly Kind[];

/** One of each, with values that the server stores in other words, fills with defaults or drops. */
export function everyEntry(namespace: string): readonly ApplyEntry[] {
  const app = { app: "web" };
  const podSpec = {
    terminationGracePeriodSeconds: 5,
    containers: [
      {
        name: "web",
        image: "registry.test/web:1",
        resources: { requests: { cpu: "0.5", memory: "1024Mi" }, limits: { cpu: "1000m", memory: "1.5Gi" } },
        ports: [{ containerPort: 8080 }, { name: "admin", containerPort: 9090, protocol: "TCP" }],
        env: [
          { name: "EMPTY", value: "" },
          { name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
        ],
        args: [],
        livenessProbe: { httpGet: { path: "/", port: 8080 }, failureThreshold: 7 },
      },
    ],
    volumes: [{ name: "scratch", emptyDir: { sizeLimit: "0.5Gi" } }],
    nodeSelector: {},
    tolerations: [],
  };
  const pods = (of: string): object => ({
    selector: { matchLabels: { of } },
    template: { metadata: { labels: { of } }, spec: podSpec },
  });
  const build = <T extends KubeObject>(kind: Kind<T>, content: object, options?: ApplyOptions): ApplyEntry => {
    const metadata = { namespace, name: "web", labels: app };
    const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
    const object = { apiVersion, kind: kind.kind, metadata, ...content } as unknown as T;
    return apply({ kind, namespace, name: "web" }, object, options);
  };
  const made = `${namespace}-made`;
  return [
    apply(
      { kind: Namespace, name: made },
      { apiVersion: "v1", kind: "Namespace", metadata: { name: made, labels: { "istio-injection": "enabled" } } },
    ),
    build(ServiceAccount, { automountServiceAccountToken: false }),
    build(Role, { rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] }] }),
    build(RoleBinding, {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "web" },
      subjects: [{ kind: "ServiceAccount", name: "web", namespace }],
    }),
    build(ConfigMap, { data: { key: "value", empty: "" } }),
    build(Secret, { stringData: undefined, data: { token: "aGVsbG8=" } }),
    build(Service, { spec: { selector: app, ports: [{ name: "http", port: 80, targetPort: 8080 }] } }),
    build(PodDisruptionBudget, { spec: { maxUnavailable: "10%", selector: { matchLabels: app } } }),
    build(ReplicaSet, {}, { initial: { spec: { replicas: 2, ...pods("replicaset") } } }),
    build(Deployment, { spec: pods("deployment") }, { initial: { spec: { replicas: 2 } } }),
    build(HorizontalPodAutoscaler, {
      spec: {
        minReplicas: 1,
        maxReplicas: 5,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
        metrics: [
          { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
          {
            type: "External",
            external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "2.5" } },
          },
        ],
      },
    }),
    build(ControllerRevision, { revision: 1, data: { spec: { template: { list: [], zero: 0 } } } }),
    build(Cargo, {
      spec: {
        weight: "0.5",
        tags: ["b", "a"],
        notes: [],
        crates: [{ name: "z" }, { name: "a", count: 3 }],
        hold: { n: 1.0 },
      },
    }),
  ];
}
