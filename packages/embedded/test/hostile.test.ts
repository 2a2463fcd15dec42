// Requests that nobody should send. Whatever comes, the server answers with a Status, keeps nothing of what it refused,
// and goes on. CHASKI_REQUESTS=200000 for the long run, CHASKI_SEED for another one.
import { type Random, seededRandom } from "@chaski/clock";
import { createEmbeddedCluster, type EmbeddedCluster } from "@chaski/embedded";
import type { TransportRequest } from "@chaski/kube";
import { beforeAll, expect, test } from "vitest";
import { Requests } from "../conformance/requests.ts";

const REQUESTS = Number(process.env["CHASKI_REQUESTS"] ?? 20_000);
const SEED = Number(process.env["CHASKI_SEED"] ?? 1);
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

let cluster: EmbeddedCluster;
let api: Requests;

beforeAll(async () => {
  cluster = await createEmbeddedCluster({ controllers: false });
  api = new Requests(cluster.transport);
});

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const named = (rest: string): string => `{"metadata":{"name":"refused"},${rest}}`;

test.each([
  { what: "JSON that ends too early", body: '{"metadata":{"name":"refused"', status: 400 },
  { what: "no JSON", body: "hello", status: 400 },
  { what: "a list", body: "[]", status: 400 },
  { what: "a number", body: "42", status: 400 },
  { what: "10 MB", body: named(`"data":{"a":"${"x".repeat(10_000_000)}"}`), status: 413 },
  { what: "deep nesting", body: named(`"data":${deep(20_000)}`), status: 400 },
  { what: "a number for a text", body: named('"data":{"a":1}'), status: 400 },
  { what: "__proto__ for data", body: named('"data":{"__proto__":{"a":"1"}}'), status: 400 },
  { what: "a key that is a path", body: named('"data":{"../../etc/passwd":"1"}'), status: 422 },
  { what: "a name that is a path", body: '{"metadata":{"name":"../refused"}}', status: 422 },
  { what: "another kind", body: named('"kind":"Secret","apiVersion":"v1"'), status: 400 },
])("$what is refused and not kept", async ({ body, status }) => {
  const answer = await api.post(CONFIG_MAPS, body);
  expect({ status: answer.status, kind: answer.body.kind }).toEqual({ status, kind: "Status" });
  expect((await api.get(`${CONFIG_MAPS}/refused`)).status).toBe(404);
  expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
});

test.each([
  { what: "YAML with a billion laughs", type: "application/yaml", body: laughs(), status: 400 },
  { what: "YAML that is none", type: "application/yaml", body: "a: [b\nc: {", status: 400 },
  { what: "a form", type: "application/x-www-form-urlencoded", body: "a=b", status: 415 },
  { what: "XML", type: "application/xml", body: "<a/>", status: 415 },
])("$what is refused", async ({ type, body, status }) => {
  const answer = await api.post(CONFIG_MAPS, body, { contentType: type });
  expect({ status: answer.status, kind: answer.body.kind }).toEqual({ status, kind: "Status" });
});

function laughs(): string {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 12; level++) {
    const before = `*a${level - 1}`;
    lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => before).join(", ")}]`);
  }
  return lines.join("\n");
}

test.each(["a==b=c", "a in (", "!", "(((((", "a=b,,c", "\u0000", "a notin b", "=b", "x".repeat(70_000)])(
  "the selector %j is refused",
  async (selector) => {
    const answer = await api.get(`${CONFIG_MAPS}?labelSelector=${encodeURIComponent(selector)}`);
    expect(answer).toMatchObject({ status: 400, body: { kind: "Status" } });
  },
);

test.each([
  [{ op: "add", path: "/__proto__/polluted", value: true }],
  [{ op: "add", path: "/metadata/__proto__/polluted", value: true }],
  [{ op: "add", path: "/constructor/prototype/polluted", value: true }],
  [{ op: "replace", path: "/data/../../a", value: "1" }],
  [{ op: "move", from: "/metadata", path: "/metadata/labels" }],
  [{ op: "copy", from: "", path: "/data/a" }],
  [{ op: "remove", path: "" }],
  [{ op: "add", path: "data", value: 1 }],
])("a patch that escapes, %j, changes nothing", async (operation) => {
  const name = "target";
  await api.post(CONFIG_MAPS, { metadata: { name }, data: { a: "1" } });
  const before = await api.get(`${CONFIG_MAPS}/${name}`);
  const answer = await api.jsonPatch(`${CONFIG_MAPS}/${name}`, [operation]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect((await api.get(`${CONFIG_MAPS}/${name}`)).body).toEqual(before.body);
  if (answer.status >= 400) expect(answer.body.kind).toBe("Status");
});

test("a pattern that would run for ever ends", async () => {
  const properties = { text: { type: "string", pattern: "^(a+)+$" } };
  const schema = { type: "object", properties: { spec: { type: "object", properties } } };
  await api.post(DEFINITIONS, {
    metadata: { name: "traps.hostile.example.com" },
    spec: {
      group: "hostile.example.com",
      scope: "Namespaced",
      names: { plural: "traps", kind: "Trap" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  const answer = await api.post("/apis/hostile.example.com/v1/namespaces/default/traps", {
    apiVersion: "hostile.example.com/v1",
    kind: "Trap",
    metadata: { name: "one" },
    spec: { text: `${"a".repeat(50_000)}!` },
  });
  expect(answer).toMatchObject({ status: 422, body: { kind: "Status" } });
});

test(`${REQUESTS} random requests: a Status for each that is refused, and nothing of it is kept`, async () => {
  const random = new Hostility(seededRandom(SEED));
  const wrong: string[] = [];
  let version = await storeVersion();
  for (let index = 0; index < REQUESTS; index++) {
    const request = random.request();
    const { status, text } = await send(request);
    const next = await storeVersion();
    if (status >= 400 && (next !== version || !isRefusal(text)))
      wrong.push(`${JSON.stringify(request).slice(0, 300)} ${status} ${text.slice(0, 200)}`);
    version = next;
  }
  expect(wrong).toEqual([]);
  expect((await api.get("/healthz")).status).toBe(200);
  expect(({} as Record<string, unknown>)["name"]).toBeUndefined();
}, 600_000);

/** Changes with every write, whatever was written. */
async function storeVersion(): Promise<string> {
  return (await api.get("/api/v1/nodes")).body.metadata.resourceVersion as string;
}

/** Reads all of the answer, and of a watch nothing. */
async function send(request: TransportRequest): Promise<{ status: number; text: string }> {
  const stop = new AbortController();
  const response = await cluster.transport.send({ ...request, signal: stop.signal });
  if (request.path.includes("watch=") && response.status < 400) {
    stop.abort();
    return { status: response.status, text: "" };
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return { status: response.status, text: Buffer.concat(chunks).toString() };
}

/** Outside of the API the real server answers in plain words too. */
function isRefusal(text: string): boolean {
  if (text === "404 page not found\n") return true;
  try {
    return (JSON.parse(text) as { kind?: string }).kind === "Status";
  } catch {
    return false;
  }
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND"];
const SEGMENTS = [
  ..."api apis v1 apps namespaces default configmaps pods deployments services status scale log exec".split(" "),
  ..."x .. %2e%2e %00 %zz __proto__ constructor customresourcedefinitions apiextensions.k8s.io leases".split(" "),
  ..."watch proxy openapi v3 version healthz kube-system nodes roles rbac.authorization.k8s.io eviction".split(" "),
];
const QUERIES = [
  "watch=true&timeoutSeconds=1",
  "watch=1&resourceVersion=x",
  "limit=-1",
  "limit=1&continue=%7B",
  "continue=AAAA",
  "labelSelector=%3D%3D",
  "fieldSelector=metadata.name",
  "resourceVersion=99999999999999999999",
  "resourceVersionMatch=Exact",
  "dryRun=None",
  "dryRun=All",
  "fieldManager=%0a",
  "force=maybe",
  "fieldValidation=Perhaps",
  "propagationPolicy=Up",
  "gracePeriodSeconds=-9",
  "sendInitialEvents=true",
  "pretty=1",
  "=&&&==%",
];
const CONTENT_TYPES = [
  "application/json",
  "application/yaml",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/json-patch+json",
  "application/apply-patch+yaml",
  "application/vnd.kubernetes.protobuf",
  "text/plain",
  "",
  ";;;",
];
const SCRAPS = [
  ...'{ } [ ] : , null true -1 1e999 "a" "__proto__" "metadata" "name" "spec" "\\u0000" - & * ! | # \''.split(" "),
  "\n",
  "\ud800",
  deep(50),
];
const BODIES = [
  '{"metadata":{"name":"x"}}',
  '{"metadata":{"name":null}}',
  '{"metadata":[]}',
  '{"metadata":{"__proto__":{"name":"x"}}}',
  '{"$patch":"delete"}',
  '{"$setElementOrder/containers":[{"name":"a"}]}',
  '{"spec":{"template":{"spec":{"containers":[{"$patch":"replace"},null]}}}}',
  '[{"op":"test","path":"/metadata/name","value":"x"}]',
  '[{"op":"add","path":"/a/-/b","value":{}}]',
  '{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":"x"}',
  '{"metadata":{"finalizers":[""],"ownerReferences":[null],"managedFields":[{"fieldsV1":{"f:":1}}]}}',
];

class Hostility {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  request(): TransportRequest {
    const method = this.#one(METHODS) as TransportRequest["method"];
    const query = this.#random() < 0.4 ? `?${this.#one(QUERIES)}` : "";
    const body = this.#random() < 0.6 ? this.#body() : undefined;
    const headers = {
      accept: this.#one([
        "application/json",
        "application/json;as=Table;g=meta.k8s.io;v=v1",
        "text/html",
        "*/*",
        ",;=",
      ]),
      "content-type": this.#one(CONTENT_TYPES),
    };
    return { method, path: `${this.#path()}${query}`, headers, ...(body !== undefined && { body }) };
  }

  #path(): string {
    if (this.#random() < 0.6) return this.#one([CONFIG_MAPS, `${CONFIG_MAPS}/x`, ...KNOWN]);
    return `/${this.#some(SEGMENTS, 7).join("/")}`;
  }

  #body(): string {
    if (this.#random() < 0.5) return this.#some(SCRAPS, 12).join("");
    const body = this.#one(BODIES);
    // Every other one loses its end.
    return this.#random() < 0.5 ? body : body.slice(0, Math.floor(this.#random() * body.length));
  }

  #one<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)] as T;
  }

  #some<T>(of: readonly T[], most: number): T[] {
    return Array.from({ length: 1 + Math.floor(this.#random() * most) }, () => this.#one(of));
  }
}

const KNOWN = [
  "/api/v1/namespaces/default/pods/x",
  "/api/v1/namespaces/default/services",
  "/api/v1/namespaces",
  "/apis/apps/v1/namespaces/default/deployments",
  "/apis/apps/v1/namespaces/default/deployments/x/scale",
  "/apis/apps/v1/namespaces/default/deployments/x/status",
  DEFINITIONS,
  "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
  "/openapi/v3/apis/apps/v1",
];
