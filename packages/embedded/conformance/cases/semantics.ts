// What happens over time: watches, deletions, changes that are refused, subresources.
import type { ConformanceCase, Scene } from "../case.ts";
import { configMap, deployment } from "./samples.ts";

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
};

export const semanticCases: readonly ConformanceCase[] = Object.entries(PLAYS).map(([name, run]) => ({ name, run }));
