// Subresources, apply, and what is not about one kind alone.
import type { ConformanceCase, Scene } from "../case.ts";
import { configMap, deployment } from "./samples.ts";

const PLAYS: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  "scale: a Deployment": async ({ api, path }) => {
    const at = path("apps/v1", "deployments", "one");
    await api.post(path("apps/v1", "deployments"), deployment());
    const { body } = await api.get(`${at}/scale`);
    await api.put(`${at}/scale`, { ...body, spec: { replicas: 3 } });
    await api.put(`${at}/scale`, { ...body, spec: { replicas: 4 } });
    await api.merge(`${at}/scale`, { spec: { replicas: 0 } });
    await api.merge(`${at}/scale`, { spec: { replicas: -1 } });
    await api.get(at);
  },
  "scale: a ReplicaSet that is not there": ({ api, path }) =>
    api.get(path("apps/v1", "replicasets", "absent", "scale")),
  "apply: a Deployment by two managers": async ({ api, path }) => {
    const at = path("apps/v1", "deployments", "one");
    await api.apply(`${at}?fieldManager=a`, deployment({ replicas: 2 }));
    await api.apply(`${at}?fieldManager=b`, deployment({ replicas: 3 }));
    await api.apply(`${at}?fieldManager=b&force=true`, deployment({ replicas: 3 }));
    await api.apply(`${at}?fieldManager=a`, deployment());
    await api.apply(`${at}?fieldManager=b`, deployment());
    await api.merge(at, { spec: { replicas: 9 } });
    await api.apply(`${at}?fieldManager=a`, deployment({ paused: true }));
    await api.get(at);
  },
  "apply: lists by their keys": async ({ api, path }) => {
    const at = path("v1", "services", "one");
    const service = (ports: object[]): object => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "one" },
      spec: { ports },
    });
    await api.apply(`${at}?fieldManager=a`, service([{ name: "a", port: 80 }]));
    await api.apply(`${at}?fieldManager=b`, service([{ name: "b", port: 81 }]));
    await api.apply(`${at}?fieldManager=a`, service([{ name: "c", port: 82 }]));
    await api.apply(
      `${at}?fieldManager=a`,
      service([
        { name: "c", port: 82 },
        { name: "d", port: 82 },
      ]),
    );
  },
  "apply: after an update, and through status": async ({ api, path }) => {
    const at = path("apps/v1", "deployments", "one");
    await api.post(path("apps/v1", "deployments"), deployment());
    await api.apply(`${at}?fieldManager=a`, deployment());
    await api.apply(`${at}/status?fieldManager=a`, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "one" },
      status: { replicas: 1 },
    });
    await api.apply(`${at}?fieldManager=c`, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "one", labels: { a: "b" } },
    });
    await api.apply(`${at}?fieldManager=c`, { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "one" } });
    await api.get(at);
  },
  "apply: with a resourceVersion and a uid": async ({ api, path }) => {
    const at = path("v1", "configmaps", "one");
    await api.apply(`${at}?fieldManager=a`, configMap("one", { resourceVersion: "1" }));
    await api.apply(`${at}?fieldManager=a`, configMap("one"));
    await api.apply(`${at}?fieldManager=a`, configMap("one", { resourceVersion: "1" }));
    await api.apply(`${at}?fieldManager=a`, configMap("one", { uid: "00000000-0000-4000-8000-000000000000" }));
  },
  "apply: dry": async ({ api, path }) => {
    await api.apply(`${path("v1", "configmaps", "one")}?fieldManager=a&dryRun=All`, configMap("one"));
    await api.get(path("v1", "configmaps", "one"));
  },
  "strategic merge: lists, deletions, directives": async ({ api, path }) => {
    const at = path("apps/v1", "deployments", "one");
    await api.post(path("apps/v1", "deployments"), deployment());
    await api.strategic(at, { spec: { template: { spec: { containers: [{ name: "side", image: "x" }] } } } });
    await api.strategic(at, {
      spec: { template: { spec: { containers: [{ name: "main", env: [{ name: "A", value: "1" }] }] } } },
    });
    await api.strategic(at, { spec: { template: { spec: { containers: [{ name: "side", $patch: "delete" }] } } } });
    await api.strategic(at, { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } });
    await api.strategic(at, { metadata: { labels: null, annotations: { a: "b" } } });
  },
  "namespace: created, read, deleted": async ({ api, unique }) => {
    const name = unique("more");
    await api.post("/api/v1/namespaces", { metadata: { name, labels: { a: "b" } } });
    await api.get(`/api/v1/namespaces/${name}`);
    await api.merge(`/api/v1/namespaces/${name}`, { metadata: { labels: { "kubernetes.io/metadata.name": "x" } } });
    await api.merge(`/api/v1/namespaces/${name}`, { spec: { finalizers: [] } });
    await api.delete(`/api/v1/namespaces/${name}`);
    await api.post(`/api/v1/namespaces/${name}/configmaps`, configMap("late"));
    await api.get(`/api/v1/namespaces/${name}`);
    await api.put(`/api/v1/namespaces/${name}/finalize`, { metadata: { name }, spec: { finalizers: [] } });
    await api.get(`/api/v1/namespaces/${name}`);
  },
  "namespace: some never go": ({ api }) => api.delete("/api/v1/namespaces/default"),
  "namespace: a bad name": ({ api }) => api.post("/api/v1/namespaces", { metadata: { name: "a.b" } }),
  "cluster role and its binding": async ({ api, unique }) => {
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    const name = unique("viewer");
    await api.post(`${rbac}/clusterroles`, {
      metadata: { name },
      rules: [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }],
    });
    await api.post(`${rbac}/clusterrolebindings`, {
      metadata: { name },
      roleRef: { kind: "ClusterRole", name },
      subjects: [{ kind: "Group", name: "dev" }],
    });
    await api.post(`${rbac}/clusterrolebindings`, { metadata: { name: `${name}-2` }, roleRef: { kind: "Role", name } });
    await api.delete(`${rbac}/clusterrolebindings/${name}`);
    await api.delete(`${rbac}/clusterroles/${name}`);
  },
  "webhook configurations": async ({ api, unique }) => {
    const at = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    const hook = {
      name: "a.example.com",
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      clientConfig: { url: "https://127.0.0.1:1/x" },
      rules: [{ apiGroups: ["nope.example.com"], apiVersions: ["v1"], resources: ["things"], operations: ["CREATE"] }],
    };
    const name = unique("hooks");
    await api.post(at, { metadata: { name }, webhooks: [hook] });
    await api.merge(`${at}/${name}`, { webhooks: [{ ...hook, timeoutSeconds: 5 }] });
    await api.post(at, { metadata: { name: `${name}-2` }, webhooks: [{ ...hook, name: "short" }] });
    await api.post(at, { metadata: { name: `${name}-2` }, webhooks: [{ ...hook, sideEffects: "Some" }] });
    await api.post(at, { metadata: { name: `${name}-2` }, webhooks: [{ ...hook, clientConfig: {} }] });
    await api.post(at, {
      metadata: { name: `${name}-2` },
      webhooks: [{ ...hook, clientConfig: { url: "http://x/" } }],
    });
    await api.post(at, { metadata: { name: `${name}-2` }, webhooks: [{ ...hook, timeoutSeconds: 99 }] });
    await api.post(at, { metadata: { name: `${name}-2` }, webhooks: [{ ...hook, admissionReviewVersions: [] }] });
    await api.delete(`${at}/${name}`);
  },
  "a node": async ({ api, unique }) => {
    const name = unique("node");
    await api.post("/api/v1/nodes", {
      metadata: { name },
      status: { capacity: { cpu: "4", memory: "8Gi" }, conditions: [{ type: "Ready", status: "True" }] },
    });
    await api.strategic(`/api/v1/nodes/${name}/status`, {
      status: { conditions: [{ type: "Ready", status: "False" }] },
    });
    await api.merge(`/api/v1/nodes/${name}`, { spec: { unschedulable: true } });
    await api.delete(`/api/v1/nodes/${name}`);
  },
  "events in both groups": async ({ api, path, namespace }) => {
    const involvedObject = { kind: "Pod", namespace, name: "a" };
    await api.post(path("v1", "events"), {
      metadata: { name: "one" },
      involvedObject,
      reason: "Because",
      message: "so",
      type: "Normal",
      count: 2,
      firstTimestamp: "2026-01-01T00:00:00Z",
      lastTimestamp: "2026-01-01T00:00:01Z",
      source: { component: "me" },
    });
    await api.get(path("events.k8s.io/v1", "events", "one"));
    await api.post(path("events.k8s.io/v1", "events"), {
      metadata: { name: "two" },
      regarding: involvedObject,
      reason: "Because",
      note: "so",
      type: "Warning",
      action: "Try",
      eventTime: "2026-01-01T00:00:00.000001Z",
      reportingController: "example.com/me",
      reportingInstance: "me-1",
    });
    await api.get(path("v1", "events", "two"));
    await api.get(`${path("v1", "events")}?fieldSelector=involvedObject.name%3Da,type%3DWarning`);
    await api.post(path("v1", "events"), {
      metadata: { name: "three" },
      involvedObject: { ...involvedObject, namespace: "other" },
    });
    await api.post(path("events.k8s.io/v1", "events"), {
      metadata: { name: "four" },
      regarding: involvedObject,
      eventTime: "2026-01-01T00:00:00.000001Z",
    });
  },
  "generated names": async ({ api, path }) => {
    const { status, body } = await api
      .unrecorded()
      .post(path("v1", "configmaps"), { metadata: { generateName: `${"x".repeat(70)}-` } });
    if (status !== 201 || !/^x{58}[a-z0-9]{5}$/.test(`${body.metadata.name}`))
      throw new Error(`unexpected name ${body.metadata?.name}`);
  },
  "managed fields that a client sends": async ({ api, path }) => {
    const at = path("v1", "configmaps", "one");
    const { body } = await api.post(path("v1", "configmaps"), configMap("one"));
    await api.merge(at, { metadata: { managedFields: [{}] } });
    await api.merge(at, { data: { b: "2" } });
    await api.put(at, {
      ...body,
      metadata: { name: "one", managedFields: body.metadata.managedFields },
      data: { c: "3" },
    });
  },
  "eviction of a pod": async ({ api, path }) => {
    await api
      .unrecorded()
      .post(path("v1", "pods"), { metadata: { name: "one" }, spec: { containers: [{ name: "a", image: "b" }] } });
    await api.post(path("v1", "pods", "one", "eviction"), {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "one" },
    });
    await api.get(path("v1", "pods", "one"));
  },
  "binding of a pod": async ({ api, path }) => {
    await api
      .unrecorded()
      .post(path("v1", "pods"), { metadata: { name: "one" }, spec: { containers: [{ name: "a", image: "b" }] } });
    await api.post(path("v1", "pods", "one", "binding"), {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name: "one" },
      target: { kind: "Node", name: "node-a" },
    });
    await api.get(path("v1", "pods", "one"));
  },
  "who may do what": async ({ api, namespace }) => {
    const at = "/apis/authorization.k8s.io/v1";
    await api.post(`${at}/selfsubjectaccessreviews`, {
      spec: { resourceAttributes: { namespace, verb: "create", resource: "pods" } },
    });
    await api.post(`${at}/subjectaccessreviews`, {
      spec: { user: "nobody-special", resourceAttributes: { namespace, verb: "create", resource: "pods" } },
    });
    await api.post(`${at}/selfsubjectaccessreviews`, { spec: {} });
  },
  "discovery of a built-in group": async ({ api }) => {
    await api.get("/apis/coordination.k8s.io");
    await api.get("/version/");
    await api.get("/healthz");
    await api.get("/readyz");
    await api.get("/apis/apps/v9");
    await api.get("/apis/absent.example.com");
  },
};

export const subresourceCases: readonly ConformanceCase[] = Object.entries(PLAYS).map(([name, run]) => ({ name, run }));
