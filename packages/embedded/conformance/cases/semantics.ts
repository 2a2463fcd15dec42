// What happens over time: watches, deletions, changes that are refused, subresources.
import type { ConformanceCase, Scene } from "../case.ts";
import { template } from "./samples.ts";

const configMap = (name: string, more: object = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...more },
  data: { a: "1" },
});
const deployment = (more: object = {}): object => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "one" },
  spec: { selector: { matchLabels: { app: "web" } }, template: template(), ...more },
});
const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";

const PLAYS: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  "watch: create, change, delete": async ({ api, path }) => {
    const at = path("v1", "configmaps");
    const { body } = await api.unrecorded().get(at);
    const quiet = api.unrecorded();
    await quiet.post(at, configMap("one"));
    await quiet.merge(`${at}/one`, { data: { a: "2" } });
    await quiet.delete(`${at}/one`);
    await api.events(`${at}?watch=true&resourceVersion=${body.metadata.resourceVersion}`, 3);
  },
  "watch: from nothing, what is there comes first": async ({ api, path }) => {
    const at = path("v1", "configmaps");
    await api.unrecorded().post(at, configMap("one"));
    await api.unrecorded().post(at, configMap("two"));
    await api.events(`${at}?watch=true`, 2);
    await api.events(`${at}?watch=1&resourceVersion=0`, 2);
  },
  "watch: initial events end with a bookmark": async ({ api, path }) => {
    const at = path("v1", "configmaps");
    await api.unrecorded().post(at, configMap("one"));
    await api.events(
      `${at}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      2,
    );
  },
  "watch: objects enter and leave a selection": async ({ api, path }) => {
    const at = path("v1", "configmaps");
    const { body } = await api.unrecorded().get(at);
    const quiet = api.unrecorded();
    await quiet.post(at, configMap("one"));
    await quiet.merge(`${at}/one`, { metadata: { labels: { a: "b" } } });
    await quiet.merge(`${at}/one`, { data: { a: "2" } });
    await quiet.merge(`${at}/one`, { metadata: { labels: { a: "c" } } });
    await quiet.merge(`${at}/one`, { metadata: { labels: { a: "b" } } });
    await quiet.delete(`${at}/one`);
    await api.events(`${at}?watch=true&labelSelector=a%3Db&resourceVersion=${body.metadata.resourceVersion}`, 5);
  },
  "watch: one object by its name": async ({ api, path }) => {
    const at = path("v1", "configmaps");
    const { body } = await api.unrecorded().get(at);
    await api.unrecorded().post(at, configMap("one"));
    await api.unrecorded().post(at, configMap("two"));
    await api.events(
      `${at}?watch=true&fieldSelector=metadata.name%3Dtwo&resourceVersion=${body.metadata.resourceVersion}`,
      1,
    );
  },
  "watch: a finalizer that goes": async ({ api, path }) => {
    const at = path("v1", "configmaps");
    const { body } = await api.unrecorded().get(at);
    await api.unrecorded().post(at, configMap("one", { finalizers: ["example.com/a"] }));
    await api.delete(`${at}/one`);
    await api.merge(`${at}/one`, { metadata: { finalizers: null } });
    await api.events(`${at}?watch=true&resourceVersion=${body.metadata.resourceVersion}`, 3);
  },
  "watch: metadata alone": async ({ api, path }) => {
    const at = path("v1", "configmaps");
    await api.unrecorded().post(at, configMap("one"));
    await api.events(`${at}?watch=true`, 1, "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
  },
  "watch: ends by itself": async ({ api, path }) => {
    await api.get(`${path("v1", "configmaps")}?watch=true&timeoutSeconds=1`);
  },
  "list: pages": async ({ api, path }) => {
    const at = path("v1", "configmaps");
    for (const name of ["a", "b", "c", "d", "e"]) await api.unrecorded().post(at, configMap(name));
    const first = await api.get(`${at}?limit=2`);
    const second = await api.get(`${at}?limit=2&continue=${first.body.metadata.continue}`);
    await api.get(`${at}?limit=2&continue=${second.body.metadata.continue}`);
    await api.get(`${at}?limit=2&labelSelector=a%3Db`);
    await api.get(`${at}?limit=500`);
  },
  "list: at a resourceVersion": async ({ api, path }) => {
    const at = path("v1", "configmaps");
    const { body } = await api.unrecorded().post(at, configMap("a"));
    await api.unrecorded().post(at, configMap("b"));
    const version: string = body.metadata.resourceVersion;
    const exact = await api.unrecorded().get(`${at}?resourceVersion=${version}&resourceVersionMatch=Exact`);
    if (exact.body.items?.length !== 1) throw new Error("the exact list is wrong");
    await api.get(`${at}?resourceVersion=0`);
  },
  "delete: with a finalizer, twice": async ({ api, path }) => {
    await api.post(path("v1", "configmaps"), configMap("one", { finalizers: ["example.com/a"] }));
    await api.delete(path("v1", "configmaps", "one"));
    await api.delete(path("v1", "configmaps", "one"));
    await api.merge(path("v1", "configmaps", "one"), { metadata: { finalizers: ["example.com/a", "example.com/b"] } });
    await api.merge(path("v1", "configmaps", "one"), { data: { a: "2" } });
    await api.put(path("v1", "configmaps", "one"), configMap("one"));
    await api.get(path("v1", "configmaps", "one"));
  },
  "delete: in the foreground and as an orphan": async ({ api, path }) => {
    for (const propagationPolicy of ["Foreground", "Orphan", "Background"]) {
      const name = propagationPolicy.toLowerCase();
      await api.post(path("v1", "configmaps"), configMap(name));
      await api.delete(path("v1", "configmaps", name), { propagationPolicy });
      await api.get(path("v1", "configmaps", name));
    }
  },
  "delete: by orphanDependents": async ({ api, path }) => {
    for (const orphanDependents of [true, false]) {
      await api.post(path("v1", "configmaps"), configMap(`x${orphanDependents}`));
      await api.delete(path("v1", "configmaps", `x${orphanDependents}`), { orphanDependents });
    }
  },
  "delete: with preconditions that hold": async ({ api, path }) => {
    const { body } = await api.unrecorded().post(path("v1", "configmaps"), configMap("one"));
    const { uid, resourceVersion } = body.metadata;
    await api.delete(path("v1", "configmaps", "one"), { preconditions: { uid, resourceVersion } });
  },
  "delete: dry": async ({ api, path }) => {
    await api.unrecorded().post(path("v1", "configmaps"), configMap("one"));
    await api.delete(`${path("v1", "configmaps", "one")}?dryRun=All`);
    await api.get(path("v1", "configmaps", "one"));
  },
  "delete: a collection by label": async ({ api, path }) => {
    await api.unrecorded().post(path("v1", "configmaps"), configMap("one", { labels: { a: "b" } }));
    await api.unrecorded().post(path("v1", "configmaps"), configMap("two"));
    await api.delete(`${path("v1", "configmaps")}?labelSelector=a%3Db`);
    await api.get(path("v1", "configmaps"));
  },
  "delete: a pod on a node ends gracefully": async ({ api, path }) => {
    const at = path("v1", "pods");
    await api.post(at, {
      metadata: { name: "one" },
      spec: { nodeName: "node-a", containers: [{ name: "a", image: "b" }] },
    });
    await api.delete(`${at}/one`);
    await api.delete(`${at}/one`, { gracePeriodSeconds: 5 });
    await api.delete(`${at}/one`, { gracePeriodSeconds: 0 });
    await api.get(`${at}/one`);
  },
  "delete: a deployment with a generation": async ({ api, path }) => {
    await api.post(path("apps/v1", "deployments"), deployment());
    await api.delete(path("apps/v1", "deployments", "one"), { propagationPolicy: "Foreground" });
  },
  "update: dry": async ({ api, path }) => {
    await api.unrecorded().post(path("v1", "configmaps"), configMap("one"));
    await api.merge(`${path("v1", "configmaps", "one")}?dryRun=All`, { data: { a: "2" } });
    await api.get(path("v1", "configmaps", "one"));
  },
  "update: immutable ConfigMap": async ({ api, path }) => {
    await api.post(path("v1", "configmaps"), { ...configMap("one"), immutable: true });
    await api.merge(path("v1", "configmaps", "one"), { data: { a: "2" } });
    await api.merge(path("v1", "configmaps", "one"), { immutable: false });
    await api.merge(path("v1", "configmaps", "one"), { metadata: { labels: { a: "b" } } });
  },
  "update: a Secret's type": async ({ api, path }) => {
    await api.unrecorded().post(path("v1", "secrets"), { metadata: { name: "one" } });
    await api.merge(path("v1", "secrets", "one"), { type: "other" });
  },
  "update: a Deployment's selector": async ({ api, path }) => {
    await api.unrecorded().post(path("apps/v1", "deployments"), deployment());
    await api.merge(path("apps/v1", "deployments", "one"), {
      spec: { selector: { matchLabels: { app: "web", b: "c" } }, template: { metadata: { labels: { b: "c" } } } },
    });
  },
  "update: a Deployment's generation": async ({ api, path }) => {
    const at = path("apps/v1", "deployments", "one");
    await api.post(path("apps/v1", "deployments"), deployment());
    await api.merge(at, { metadata: { labels: { a: "b" } } });
    await api.merge(at, { metadata: { annotations: { a: "b" } } });
    await api.merge(at, { spec: { replicas: 2 } });
    await api.merge(`${at}/status`, { status: { replicas: 2, observedGeneration: 3 } });
    await api.merge(at, { status: { replicas: 5 } });
    await api.get(at);
  },
  "update: a ReplicaSet's status": async ({ api, path }) => {
    const at = path("apps/v1", "replicasets", "one");
    await api.post(path("apps/v1", "replicasets"), { ...deployment(), kind: "ReplicaSet" });
    await api.merge(`${at}/status`, {
      status: { replicas: 2, readyReplicas: 1, conditions: [{ type: "ReplicaFailure", status: "True" }] },
    });
    await api.merge(`${at}/status`, { metadata: { labels: { a: "b" } }, spec: { replicas: 7 } });
  },
  "update: a Pod's spec": async ({ api, path }) => {
    const at = path("v1", "pods", "one");
    await api.post(path("v1", "pods"), {
      metadata: { name: "one" },
      spec: { containers: [{ name: "a", image: "b" }] },
    });
    await api.merge(at, { spec: { restartPolicy: "Never" } });
    await api.strategic(at, { spec: { containers: [{ name: "a", image: "c" }] } });
    await api.merge(at, { spec: { activeDeadlineSeconds: 10 } });
  },
  "update: a Pod's status": async ({ api, path }) => {
    const at = path("v1", "pods", "one");
    await api.post(path("v1", "pods"), {
      metadata: { name: "one" },
      spec: { containers: [{ name: "a", image: "b" }] },
    });
    await api.strategic(`${at}/status`, {
      status: { phase: "Running", podIP: "192.0.2.7", conditions: [{ type: "Ready", status: "True" }] },
    });
    await api.strategic(`${at}/status`, {
      status: { conditions: [{ type: "ContainersReady", status: "False", reason: "x" }] },
    });
    await api.get(`${path("v1", "pods")}?fieldSelector=status.phase%3DRunning`);
    await api.get(`${path("v1", "pods")}?includeObject=None`, { accept: TABLE });
  },
  "update: a Service keeps its address": async ({ api, path }) => {
    const at = path("v1", "services", "one");
    const { body } = await api.post(path("v1", "services"), {
      metadata: { name: "one" },
      spec: { ports: [{ port: 80 }], selector: { a: "b" } },
    });
    await api.put(at, { metadata: { name: "one" }, spec: { ports: [{ port: 81 }], selector: { a: "b" } } });
    await api.merge(at, { spec: { clusterIP: body.spec.clusterIP === "10.0.0.9" ? "10.0.0.10" : "10.0.0.9" } });
    await api.strategic(at, {
      spec: {
        ports: [
          { port: 81, name: "http" },
          { port: 82, name: "more" },
        ],
      },
    });
  },
  "update: a role reference": async ({ api, path }) => {
    const rbac = "rbac.authorization.k8s.io/v1";
    await api
      .unrecorded()
      .post(path(rbac, "rolebindings"), { metadata: { name: "one" }, roleRef: { kind: "Role", name: "a" } });
    await api.merge(path(rbac, "rolebindings", "one"), { roleRef: { name: "b" } });
  },
  "update: a lease that is not there is created": async ({ api, path }) => {
    await api.put(path("coordination.k8s.io/v1", "leases", "one"), {
      metadata: { name: "one" },
      spec: { holderIdentity: "a" },
    });
  },
  "update: without a resourceVersion": async ({ api, path }) => {
    await api.unrecorded().post(path("coordination.k8s.io/v1", "leases"), { metadata: { name: "one" } });
    await api.put(path("coordination.k8s.io/v1", "leases", "one"), {
      metadata: { name: "one" },
      spec: { holderIdentity: "a" },
    });
    await api.unrecorded().post(path("v1", "configmaps"), configMap("one"));
    await api.put(path("v1", "configmaps", "one"), { metadata: { name: "one" }, data: { b: "2" } });
  },
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
    await api.get("/readyz?verbose=no");
    await api.get("/apis/apps/v9");
    await api.get("/apis/absent.example.com");
  },
};

export const semanticCases: readonly ConformanceCase[] = Object.entries(PLAYS).map(([name, run]) => ({ name, run }));
