// Whatever a client sends, the server answers, and its own code is never what failed.
import { seededRandom, VirtualClock } from "@chaski/clock";
import { createEmbeddedCluster } from "@chaski/embedded";
import type { TransportRequest } from "@chaski/kube";
import { expect, test } from "vitest";
import { Requests } from "../conformance/requests.ts";

const REQUESTS = Number(process.env["CHASKI_REQUESTS"] ?? 20_000);
const random = seededRandom(42);
const one = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const SEGMENTS = [
  "api",
  "apis",
  "v1",
  "apps",
  "apps/v1",
  "namespaces",
  "default",
  "configmaps",
  "deployments",
  "services",
  "a",
  "status",
  "scale",
  "%2e%2e",
  "..",
  "",
  "%",
  "__proto__",
  "constructor",
  "watch",
  "customresourcedefinitions",
  "apiextensions.k8s.io",
  "autoscaling/v2",
  "horizontalpodautoscalers",
  "💚",
];
const QUERIES = [
  "",
  "watch=1&timeoutSeconds=1",
  "limit=1",
  "limit=NaN",
  "continue=e30",
  "labelSelector=a%3D%3Db",
  "labelSelector=((",
  "fieldSelector=a",
  "fieldManager=x",
  "fieldManager=x&force=1",
  "dryRun=All",
  "resourceVersion=99999",
  "fieldValidation=Strict",
  "resourceVersionMatch=Exact&resourceVersion=1",
  "propagationPolicy=Orphan",
  "%zz",
  "&&==&",
];
const TYPES = [
  "application/json",
  "application/yaml",
  "application/merge-patch+json",
  "application/json-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
  "text/plain",
  "",
];
const KEYS = [
  "metadata",
  "name",
  "spec",
  "data",
  "kind",
  "apiVersion",
  "__proto__",
  "constructor",
  "toString",
  "labels",
  "ownerReferences",
  "finalizers",
  "managedFields",
  "selector",
  "template",
  "containers",
  "ports",
  "replicas",
  "status",
  "versions",
  "schema",
  "openAPIV3Schema",
  "properties",
  "$patch",
  "$setElementOrder/ports",
  "op",
  "path",
  "value",
];
const LEAVES = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  2 ** 60,
  0.1,
  "",
  "a",
  "v1",
  "ConfigMap",
  "Deployment",
  "apps/v1",
  "/metadata/name",
  "add",
  "(a+)+$",
  "\u0000",
  "10Gi",
  "2020-01-01T00:00:00Z",
];

function value(depth: number): unknown {
  const roll = random();
  if (depth === 0 || roll < 0.35) return one(LEAVES);
  if (roll < 0.5) return Array.from({ length: Math.floor(random() * 3) }, () => value(depth - 1));
  return Object.fromEntries(Array.from({ length: Math.floor(random() * 5) }, () => [one(KEYS), value(depth - 1)]));
}

/** Half of them nearly right, so that they get past the first check. */
function body(): string {
  if (random() < 0.1) return one(["", "{", "[", "nope", "{}", "[]", "null", "a: [", "&a [*a]", "\ufeff{}"]);
  const base = {
    apiVersion: one(["v1", "apps/v1"]),
    kind: one(["ConfigMap", "Deployment", "Service"]),
    metadata: { name: one(["a", "b"]) },
  };
  return JSON.stringify(random() < 0.5 ? value(5) : { ...base, ...(value(4) as object) });
}

function path(): string {
  const known = [
    "/api/v1/namespaces/default/configmaps",
    "/apis/apps/v1/namespaces/default/deployments",
    "/api/v1/namespaces/default/services",
    "/api/v1/namespaces",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
  ];
  const root =
    random() < 0.8 ? one(known) : `/${Array.from({ length: Math.floor(random() * 7) }, () => one(SEGMENTS)).join("/")}`;
  const rest = one(["", "/a", "/b", "/a/status", "/a/scale", `/${one(SEGMENTS)}`]);
  const query = one(QUERIES);
  return `${root}${rest}${query ? `?${query}` : ""}`;
}

test(`${REQUESTS} requests of garbage are all answered`, { timeout: 600_000 }, async () => {
  const clock = new VirtualClock();
  const cluster = await createEmbeddedCluster({ clock, random });
  const failures = new Set<string>();
  for (let count = 0; count < REQUESTS; count++) {
    const method: TransportRequest["method"] = one(METHODS);
    const sent = {
      method,
      path: path(),
      headers: { "content-type": one(TYPES), accept: one(["*/*", "application/json", ""]) },
      body: body(),
    };
    if (sent.path.includes("watch=1")) continue;
    const response = await cluster.transport.send(sent);
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (text.includes("Internal error occurred"))
      failures.add(
        `${method} ${sent.path} ${sent.headers["content-type"]} ${sent.body.slice(0, 300)} → ${text.slice(0, 300)}`,
      );
  }
  expect([...failures].slice(0, 10)).toEqual([]);
  const api = new Requests(cluster.transport);
  expect((await api.get("/api/v1/namespaces/default")).status).toBe(200);
  await cluster.close();
});
