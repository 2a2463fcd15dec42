// What random sequences found, each as the shortest sequence that shows it.
import type { ConformanceCase, Scene } from "../case.ts";

const SERVICE = { metadata: { name: "one" }, spec: { type: "ExternalName", externalName: "example.com" } };
const HEADLESS = { metadata: { name: "one" }, spec: { clusterIP: "None" } };
const POD = { metadata: { name: "one" }, spec: { containers: [{ name: "main", image: "nginx:1.27" }] } };
const BUDGET = { metadata: { name: "one" }, spec: { selector: { matchLabels: { app: "web" } } } };
const AUTOSCALER = {
  metadata: { name: "one" },
  spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } },
};

export const foundCases: readonly ConformanceCase[] = [
  {
    name: "the internal traffic policy of a Service that leads outside is shown through its status, and while it goes",
    run: async ({ api, path }) => {
      await api.post(path("v1", "services"), SERVICE);
      await api.strategic(path("v1", "services", "one"), { spec: { internalTrafficPolicy: "Local" } });
      await api.get(path("v1", "services", "one"));
      await api.get(path("v1", "services", "one", "status"));
      await api.merge(path("v1", "services", "one", "status"), { metadata: { labels: { a: "b" } } });
      await api.delete(path("v1", "services", "one"), { propagationPolicy: "Orphan" });
    },
  },
  {
    name: "the internal traffic policy of a Service that leads outside is kept all the same",
    run: async ({ api, path }) => {
      const spec = { ports: [{ port: 80 }], internalTrafficPolicy: "Local" };
      await api.post(`${path("v1", "services")}?fieldManager=carol`, { metadata: { name: "one" }, spec });
      const apply = (manager: string, applied: unknown): Promise<unknown> =>
        api.apply(`${path("v1", "services", "one")}?fieldManager=${manager}`, {
          apiVersion: "v1",
          kind: "Service",
          spec: applied,
        });
      await apply("bob&force=true", { type: "ExternalName", externalName: "example.com" });
      await apply("carol", { internalTrafficPolicy: "Local", type: "ClusterIP" });
    },
  },
  {
    name: "a Service that leads outside loses the policy for outside addresses",
    run: async ({ api, path }) => {
      const spec = { ports: [{ port: 80 }], externalIPs: ["192.0.2.3"] };
      await api.post(path("v1", "services"), { metadata: { name: "one" }, spec });
      await api.merge(path("v1", "services", "one"), { spec: { type: "ExternalName", externalName: "example.com" } });
    },
  },
  {
    name: "a headless Service of two families gets no selector",
    run: async ({ api, path }) => {
      await api.post(path("v1", "services"), HEADLESS);
      await api.merge(path("v1", "services", "one"), { spec: { selector: { tier: "x" }, ports: [{ port: 0 }] } });
    },
  },
  {
    name: "an immutable Secret without data is given no data",
    run: async ({ api, path }) => {
      const { body } = await api.post(path("v1", "secrets"), { metadata: { name: "one" }, immutable: true });
      await api.merge(path("v1", "secrets", "one"), { data: { a: null } });
      await api.put(path("v1", "secrets", "one"), { ...body, data: {} });
    },
  },
  {
    name: "a pod that loses its tolerations gets those for lost nodes again",
    run: async ({ api, path }) => {
      await api.post(path("v1", "pods"), POD);
      await api.merge(path("v1", "pods", "one"), { spec: { tolerations: [] } });
    },
  },
  ...[{ priority: 5 }, { priority: 0 }, { preemptionPolicy: "Never" }].map((given) => ({
    name: `a pod says ${JSON.stringify(given)} without a priority class`,
    run: ({ api, path }: Scene) => api.post(path("v1", "pods"), { ...POD, spec: { ...POD.spec, ...given } }),
  })),
  {
    name: "nobody owns a pod's owners through its status",
    run: async ({ api, path }) => {
      await api.post(path("v1", "pods"), POD);
      await api.apply(`${path("v1", "pods", "one", "status")}?fieldManager=alice`, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { ownerReferences: [{}] },
      });
    },
  },
  {
    name: "a budget without a name: its own problems are told first",
    run: async ({ api, path }) => {
      const at = path("policy/v1", "poddisruptionbudgets");
      await api.post(at, { spec: { maxUnavailable: "150%" } });
      await api.post(at, { spec: { maxUnavailable: 1 } });
    },
  },
  {
    name: "a strategic patch replaces the selector of a budget",
    run: async ({ api, path }) => {
      await api.post(path("policy/v1", "poddisruptionbudgets"), BUDGET);
      const one = path("policy/v1", "poddisruptionbudgets", "one");
      await api.strategic(one, { spec: { selector: { matchExpressions: [{ key: "a", operator: "Exists" }] } } });
      await api.strategic(one, { spec: { selector: {} } });
    },
  },
  {
    name: "who applied metadata and then applies none takes the name away",
    run: async ({ api, path }) => {
      await api.post(path("policy/v1", "poddisruptionbudgets"), BUDGET);
      const apply = (more: object): Promise<unknown> =>
        api.apply(`${path("policy/v1", "poddisruptionbudgets", "one")}?fieldManager=bob`, {
          apiVersion: "policy/v1",
          kind: "PodDisruptionBudget",
          ...more,
        });
      await apply({ metadata: { finalizers: ["example.com/a"] } });
      await apply({});
    },
  },
  {
    name: "the metadata of a Scale is checked",
    run: async ({ api, path }) => {
      const template = { metadata: { labels: { app: "web" } }, spec: POD.spec };
      const spec = { selector: { matchLabels: { app: "web" } }, template };
      await api.post(path("apps/v1", "replicasets"), { metadata: { name: "one" }, spec });
      await api.merge(path("apps/v1", "replicasets", "one", "scale"), { metadata: { finalizers: ["bad finalizer"] } });
    },
  },
  ...["", "?dryRun=All"].map((query) => ({
    name: `a Scale and its ReplicaSet are written with another uid${query}`,
    run: async ({ api, path }: Scene) => {
      const template = { metadata: { labels: { app: "web" } }, spec: POD.spec };
      const spec = { selector: { matchLabels: { app: "web" } }, template };
      const metadata = { name: "one", uid: "22222222-2222-4222-8222-222222222222" };
      await api.post(path("apps/v1", "replicasets"), { metadata: { name: "one" }, spec });
      await api.put(`${path("apps/v1", "replicasets", "one", "scale")}${query}`, { metadata });
      await api.put(`${path("apps/v1", "replicasets", "one")}${query}`, { metadata, spec });
    },
  })),
  {
    name: "a Pod's deadline may come, and come earlier",
    run: async ({ api, path }) => {
      const at = path("v1", "pods", "one");
      await api.post(path("v1", "pods"), { ...POD, metadata: { name: "one" } });
      for (const activeDeadlineSeconds of [10, 5, 20, null, -1, 2 ** 31])
        await api.merge(at, { spec: { activeDeadlineSeconds } });
      await api.merge(at, { spec: { activeDeadlineSeconds: null, hostNetwork: true } });
    },
  },
  {
    name: "an apply names another namespace",
    run: ({ api, path }) =>
      api.apply(`${path("v1", "configmaps", "one")}?fieldManager=bob`, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { namespace: "elsewhere" },
      }),
  },
  ...[
    { scaleUp: { policies: [] } },
    { scaleDown: { policies: [{ type: "Sideways", value: 0, periodSeconds: 3000 }] } },
    { scaleUp: { stabilizationWindowSeconds: 4000 }, scaleDown: { selectPolicy: "Sometimes" } },
  ].map((behavior) => ({
    name: `an autoscaler behaves: ${JSON.stringify(behavior)}`,
    run: ({ api, path }: Scene) =>
      api.post(path("autoscaling/v2", "horizontalpodautoscalers"), {
        ...AUTOSCALER,
        spec: { ...AUTOSCALER.spec, behavior },
      }),
  })),
];
