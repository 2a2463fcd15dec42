// What a client gets for input that is no object, or not the right one.
import type { ConformanceCase, Scene } from "../case.ts";
import { template } from "./samples.ts";

interface BadBody {
  readonly name: string;
  readonly body: unknown;
  readonly contentType?: string;
  readonly query?: string;
}

const deep = (depth: number): string =>
  `{"metadata":{"name":"a"},"data":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`;

const BAD_CONFIG_MAPS: readonly BadBody[] = [
  { name: "empty body", body: "" },
  { name: "no JSON", body: "{nope" },
  { name: "cut off JSON", body: '{"metadata":{"name":"a"' },
  { name: "an array", body: "[]" },
  { name: "a string", body: '"text"' },
  { name: "null", body: "null" },
  { name: "another kind", body: { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } } },
  { name: "an unknown kind", body: { apiVersion: "v1", kind: "Nope", metadata: { name: "a" } } },
  { name: "another version", body: { apiVersion: "v2", kind: "ConfigMap", metadata: { name: "a" } } },
  { name: "another group", body: { apiVersion: "apps/v1", kind: "ConfigMap", metadata: { name: "a" } } },
  { name: "no kind", body: { apiVersion: "v1", metadata: { name: "a" } } },
  { name: "no version", body: { kind: "ConfigMap", metadata: { name: "a" } } },
  { name: "a kind that is a number", body: { apiVersion: "v1", kind: 1, metadata: { name: "a" } } },
  { name: "metadata is a string", body: { metadata: "a" } },
  { name: "labels are a list", body: { metadata: { name: "a", labels: [] } } },
  { name: "a label is a number", body: { metadata: { name: "a", labels: { a: 1 } } } },
  { name: "data is a list", body: { metadata: { name: "a" }, data: ["a"] } },
  { name: "a value is a number", body: { metadata: { name: "a" }, data: { a: 1 } } },
  { name: "a value is null", body: { metadata: { name: "a" }, data: { a: null } } },
  { name: "data is null", body: { metadata: { name: "a" }, data: null } },
  { name: "bad base64", body: { metadata: { name: "a" }, binaryData: { a: "!!" } } },
  { name: "base64 with the wrong padding", body: { metadata: { name: "a" }, binaryData: { a: "YQ" } } },
  { name: "a key with a slash", body: { metadata: { name: "a" }, data: { "a/b": "1" } } },
  {
    name: "a key in data and binaryData",
    body: { metadata: { name: "a" }, data: { a: "1" }, binaryData: { a: "YQ==" } },
  },
  { name: "no name", body: { metadata: {} } },
  { name: "no metadata", body: {} },
  { name: "a name in upper case", body: { metadata: { name: "A" } } },
  { name: "a name with a slash", body: { metadata: { name: "a/b" } } },
  { name: "a name that is too long", body: { metadata: { name: "a".repeat(254) } } },
  { name: "a bad generateName", body: { metadata: { generateName: "A_" } } },
  { name: "another namespace", body: { metadata: { name: "a", namespace: "other" } } },
  { name: "a bad label key", body: { metadata: { name: "a", labels: { "-a": "b" } } } },
  { name: "a bad label value", body: { metadata: { name: "a", labels: { a: "-b" } } } },
  { name: "a label value that is too long", body: { metadata: { name: "a", labels: { a: "b".repeat(64) } } } },
  { name: "a bad annotation key", body: { metadata: { name: "a", annotations: { "a/b/c": "d" } } } },
  {
    name: "annotations that are too large",
    body: { metadata: { name: "a", annotations: { a: "b".repeat(300_000) } } },
  },
  { name: "a bad finalizer", body: { metadata: { name: "a", finalizers: ["nope"] } } },
  {
    name: "an owner without a uid",
    body: { metadata: { name: "a", ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p" }] } },
  },
  {
    name: "two controllers",
    body: {
      metadata: {
        name: "a",
        ownerReferences: ["x", "y"].map((uid) => ({ apiVersion: "v1", kind: "Pod", name: uid, uid, controller: true })),
      },
    },
  },
  { name: "a resourceVersion", body: { metadata: { name: "a", resourceVersion: "7" } } },
  {
    name: "a uid, a creation and a deletion time",
    body: {
      metadata: {
        name: "a",
        uid: "x",
        creationTimestamp: "2020-01-01T00:00:00Z",
        deletionTimestamp: "2020-01-01T00:00:00Z",
        generation: 7,
      },
    },
  },
  { name: "a time that is none", body: { metadata: { name: "a", creationTimestamp: "yesterday" } } },
  { name: "an unknown field", body: { metadata: { name: "a" }, unknown: 1 } },
  {
    name: "an unknown field, strictly",
    body: { metadata: { name: "a" }, unknown: 1 },
    query: "fieldValidation=Strict",
  },
  { name: "a field twice", body: '{"metadata":{"name":"a","name":"b"},"data":{"a":"1","a":"2"}}' },
  {
    name: "a field twice, strictly",
    body: '{"metadata":{"name":"a"},"data":{"a":"1","a":"2"}}',
    query: "fieldValidation=Strict",
  },
  { name: "a field in another case", body: { metadata: { Name: "a" } } },
  { name: "a bad fieldValidation", body: { metadata: { name: "a" } }, query: "fieldValidation=Maybe" },
  { name: "a bad dryRun", body: { metadata: { name: "a" } }, query: "dryRun=Some" },
  { name: "a dry run", body: { metadata: { name: "a" } }, query: "dryRun=All" },
  {
    name: "a field manager that is too long",
    body: { metadata: { name: "a" } },
    query: `fieldManager=${"m".repeat(129)}`,
  },
  { name: "YAML", body: "metadata:\n  name: a\ndata:\n  a: 'yes'\n", contentType: "application/yaml" },
  { name: "bad YAML", body: "a: [", contentType: "application/yaml" },
  { name: "text", body: "a", contentType: "text/plain" },
  { name: "XML", body: "<a/>", contentType: "application/xml" },
  { name: "a form", body: "a=b", contentType: "application/x-www-form-urlencoded" },
  {
    name: "__proto__ as a key",
    body: '{"metadata":{"name":"a","labels":{"__proto__":"x"}},"__proto__":{"a":1},"data":{"constructor":"x"}}',
  },
  { name: "very deep nesting", body: deep(5_000) },
  { name: "nesting beyond what is read", body: deep(20_000) },
  { name: "data that is too large", body: { metadata: { name: "a" }, data: { a: "x".repeat(1_100_000) } } },
  { name: "a body that is too large", body: { metadata: { name: "a" }, data: { a: "x".repeat(4_000_000) } } },
  { name: "unicode", body: { metadata: { name: "a", annotations: { a: "ünï\u0000\u2028" } }, data: { a: "💚" } } },
];

export const badBodyCases: readonly ConformanceCase[] = BAD_CONFIG_MAPS.map(({ name, body, contentType, query }) => ({
  name: `bad body: ${name}`,
  run: async ({ api, path }) => {
    const at = `${path("v1", "configmaps")}${query ? `?${query}` : ""}`;
    await api.post(at, body, contentType ? { contentType } : {});
    await api.get(path("v1", "configmaps", "a"));
  },
}));

const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "one" }, data: { a: "1" } };

const BAD_REQUESTS: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  "an unknown resource": ({ api, path }) => api.get(path("v1", "gadgets")),
  "an unknown group": ({ api }) => api.get("/apis/nope.example.com/v1/things"),
  "an unknown version": ({ api, namespace }) => api.get(`/apis/apps/v9/namespaces/${namespace}/deployments`),
  "an unknown root": ({ api }) => api.get("/nope"),
  "an unknown subresource": ({ api, path }) => api.get(path("v1", "configmaps", "one", "nope")),
  "a subresource that the kind lacks": ({ api, path }) => api.get(path("v1", "configmaps", "one", "status")),
  "POST to an object": ({ api, path }) => api.post(path("v1", "configmaps", "one"), configMap),
  "PUT to a collection": ({ api, path }) => api.put(path("v1", "configmaps"), configMap),
  "PATCH to a collection": ({ api, path }) => api.merge(path("v1", "configmaps"), {}),
  "create without a namespace": ({ api }) => api.post("/api/v1/configmaps", configMap),
  "an object without a namespace": ({ api }) => api.get("/api/v1/configmaps/one"),
  "a namespace that is not there": ({ api }) => api.get("/api/v1/namespaces/absent-of-course/configmaps"),
  "create in a namespace that is not there": ({ api }) =>
    api.post("/api/v1/namespaces/absent-of-course/configmaps", configMap),
  "a cluster resource within a namespace": ({ api, path }) => api.get(path("v1", "namespaces")),
  "an update of what is not there": ({ api, path }) =>
    api.put(path("v1", "configmaps", "absent"), { ...configMap, metadata: { name: "absent" } }),
  "a patch of what is not there": ({ api, path }) => api.merge(path("v1", "configmaps", "absent"), {}),
  "a patch of an unknown type": async ({ api, path }) => {
    await api.unrecorded().post(path("v1", "configmaps"), configMap);
    await api.send("PATCH", path("v1", "configmaps", "one"), {}, { contentType: "application/json" });
  },
  "an update under another name": async ({ api, path }) => {
    await api.unrecorded().post(path("v1", "configmaps"), configMap);
    await api.put(path("v1", "configmaps", "one"), { ...configMap, metadata: { name: "two" } });
  },
  "an update without a name": async ({ api, path }) => {
    await api.unrecorded().post(path("v1", "configmaps"), configMap);
    await api.put(path("v1", "configmaps", "one"), { ...configMap, metadata: {} });
  },
  "an update of another kind": async ({ api, path }) => {
    await api.unrecorded().post(path("v1", "configmaps"), configMap);
    await api.put(path("v1", "configmaps", "one"), { ...configMap, kind: "Secret" });
  },
  "an update with another uid": async ({ api, path }) => {
    await api.unrecorded().post(path("v1", "configmaps"), configMap);
    await api.put(path("v1", "configmaps", "one"), {
      ...configMap,
      metadata: { name: "one", uid: "00000000-0000-4000-8000-000000000000" },
    });
  },
  "an update with a wrong resourceVersion": async ({ api, path }) => {
    await api.unrecorded().post(path("v1", "configmaps"), configMap);
    await api.put(path("v1", "configmaps", "one"), { ...configMap, metadata: { name: "one", resourceVersion: "1" } });
    await api.put(path("v1", "configmaps", "one"), {
      ...configMap,
      metadata: { name: "one", resourceVersion: "nope" },
    });
  },
  "a merge patch that renames": async ({ api, path }) => {
    await api.unrecorded().post(path("v1", "configmaps"), configMap);
    await api.merge(path("v1", "configmaps", "one"), { metadata: { name: "two" } });
    await api.merge(path("v1", "configmaps", "one"), { metadata: { namespace: "two" } });
    await api.merge(path("v1", "configmaps", "one"), { kind: "Secret" });
    await api.merge(path("v1", "configmaps", "one"), { metadata: { uid: "x" } });
    await api.merge(path("v1", "configmaps", "one"), { metadata: { resourceVersion: "1" } });
    await api.merge(path("v1", "configmaps", "one"), { metadata: { creationTimestamp: null } });
  },
  "merge patches that are none": async ({ api, path }) => {
    await api.unrecorded().post(path("v1", "configmaps"), configMap);
    for (const body of ["", "nope", "[]", "1", "null", '"a"']) await api.merge(path("v1", "configmaps", "one"), body);
  },
  "JSON patches that fail": async ({ api, path }) => {
    await api.unrecorded().post(path("v1", "configmaps"), configMap);
    const at = path("v1", "configmaps", "one");
    await api.jsonPatch(at, "nope");
    await api.jsonPatch(at, {});
    await api.jsonPatch(at, [{ op: "nope", path: "/data/a" }]);
    await api.jsonPatch(at, [{ op: "remove", path: "/data/absent" }]);
    await api.jsonPatch(at, [{ op: "replace", path: "/absent/a", value: 1 }]);
    await api.jsonPatch(at, [{ op: "test", path: "/data/a", value: "2" }]);
    await api.jsonPatch(at, [{ op: "add", path: "data/a", value: "2" }]);
    await api.jsonPatch(at, [{ op: "add", path: "/__proto__/a", value: "2" }]);
    await api.jsonPatch(at, [
      { op: "move", from: "/data/a", path: "/data/b" },
      { op: "copy", from: "/data/b", path: "/data/c" },
    ]);
  },
  "strategic merge patches that fail": async ({ api, path }) => {
    await api.unrecorded().post(path("apps/v1", "deployments"), {
      metadata: { name: "one" },
      spec: { selector: { matchLabels: { app: "web" } }, template: template() },
    });
    const at = path("apps/v1", "deployments", "one");
    await api.strategic(at, "nope");
    await api.strategic(at, "[]");
    await api.strategic(at, { spec: { template: { spec: { containers: [{ image: "x" }] } } } });
    await api.strategic(at, { spec: { template: { spec: { containers: "x" } } } });
    await api.strategic(at, { spec: { $patch: "nope" } });
    await api.strategic(at, { spec: { replicas: "x" } });
  },
  "apply without a manager": ({ api, path }) => api.apply(path("v1", "configmaps", "one"), configMap),
  "apply without a kind": ({ api, path }) =>
    api.apply(`${path("v1", "configmaps", "one")}?fieldManager=a`, { metadata: { name: "one" } }),
  "apply with another name": ({ api, path }) =>
    api.apply(`${path("v1", "configmaps", "two")}?fieldManager=a`, configMap),
  "apply with managedFields": ({ api, path }) =>
    api.apply(`${path("v1", "configmaps", "one")}?fieldManager=a`, {
      ...configMap,
      metadata: { name: "one", managedFields: [] },
    }),
  "apply of no YAML": ({ api, path }) => api.apply(`${path("v1", "configmaps", "one")}?fieldManager=a`, "a: ["),
  "apply of a wrong type": ({ api, path }) =>
    api.apply(`${path("v1", "configmaps", "one")}?fieldManager=a`, { ...configMap, data: "x" }),
  "apply of an unknown field": ({ api, path }) =>
    api.apply(`${path("v1", "configmaps", "one")}?fieldManager=a`, { ...configMap, nope: 1 }),
  "apply with force of another patch type": async ({ api, path }) => {
    await api.unrecorded().post(path("v1", "configmaps"), configMap);
    await api.merge(`${path("v1", "configmaps", "one")}?force=true`, {});
  },
  "bad label selectors": async ({ api, path }) => {
    for (const selector of ["a in", "a=b=c", "=", "a in (b", "a,,b", "!", "a=b c", "-a=b", "a=-b", "a>b"])
      await api.get(`${path("v1", "configmaps")}?labelSelector=${encodeURIComponent(selector)}`);
  },
  "bad field selectors": async ({ api, path }) => {
    for (const selector of ["nope=1", "a", "metadata.name", "data.a=1", "metadata.name=a,nope=b", "spec.nodeName=x"])
      await api.get(`${path("v1", "configmaps")}?fieldSelector=${encodeURIComponent(selector)}`);
  },
  "bad list options": async ({ api, path }) => {
    const queries = [
      "limit=x",
      "limit=-1",
      "continue=nope",
      "resourceVersion=x",
      "resourceVersionMatch=Exact",
      "resourceVersion=0&resourceVersionMatch=Exact",
      "resourceVersion=1&resourceVersionMatch=Nope",
      "sendInitialEvents=true",
      "timeoutSeconds=x",
    ];
    for (const query of queries) await api.get(`${path("v1", "configmaps")}?${query}`);
  },
  "bad watch options": async ({ api, path }) => {
    const queries = [
      "resourceVersion=x",
      "resourceVersionMatch=NotOlderThan",
      "sendInitialEvents=true",
      "sendInitialEvents=true&resourceVersionMatch=Exact",
      "labelSelector=a+in",
      "resourceVersion=-1",
    ];
    for (const query of queries) await api.get(`${path("v1", "configmaps")}?watch=true&timeoutSeconds=1&${query}`);
  },
  "what a client does not accept": async ({ api, path }) => {
    await api.get(path("v1", "configmaps"), { accept: "text/html" });
    await api.get(path("v1", "configmaps"), { accept: "application/json;as=Nope;g=meta.k8s.io;v=v1" });
    await api.get(path("v1", "configmaps", "absent"), { accept: "text/html, */*" });
  },
  "bad delete options": async ({ api, path }) => {
    await api.unrecorded().post(path("v1", "configmaps"), configMap);
    const at = path("v1", "configmaps", "one");
    await api.delete(at, "nope");
    await api.delete(at, { propagationPolicy: "Nope" });
    await api.delete(at, { propagationPolicy: "Orphan", orphanDependents: true });
    await api.delete(at, { gracePeriodSeconds: "x" });
    await api.delete(at, { preconditions: { uid: "x" } });
    await api.delete(at, { preconditions: { resourceVersion: "1" } });
    await api.delete(`${at}?dryRun=All`);
    await api.delete(at, { dryRun: ["Nope"] });
    await api.delete(at, { kind: "Nope", apiVersion: "v1" });
  },
};

export const badRequestCases: readonly ConformanceCase[] = Object.entries(BAD_REQUESTS).map(([name, run]) => ({
  name: `bad request: ${name}`,
  run,
}));
