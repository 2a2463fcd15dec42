import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { RealClock } from "@chaski/clock";
import { createEmbeddedCluster } from "@chaski/embedded";
import { createAuthority } from "@chaski/pki";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Requests } from "../conformance/requests.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const HOOKS = "/apis/admissionregistration.k8s.io/v1";

interface Review {
  readonly request: {
    readonly uid: string;
    readonly operation: string;
    readonly name: string;
    readonly object: { metadata: { name: string } };
  };
}

let api: Requests;
let server: Server;
let clientConfig: object;
let answer: (review: Review) => object;
let asked: string[];

beforeEach(async () => {
  const authority = createAuthority({ name: "webhooks", clock: new RealClock(), days: 1 });
  const own = authority.issue({ commonName: "webhook", usage: "server", ipAddresses: ["127.0.0.1"], days: 1 });
  asked = [];
  server = createServer({ cert: own.certificate, key: own.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const review = JSON.parse(Buffer.concat(chunks).toString()) as Review;
      asked.push(`${review.request.operation} ${review.request.name}`);
      response.end(
        JSON.stringify({
          apiVersion: "admission.k8s.io/v1",
          kind: "AdmissionReview",
          response: { uid: review.request.uid, ...answer(review) },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  clientConfig = { url, caBundle: Buffer.from(authority.certificate).toString("base64") };
  api = new Requests((await createEmbeddedCluster()).transport);
});

afterEach(() => void server.close());

async function install(kind: "mutating" | "validating", more: object = {}): Promise<void> {
  const rules = [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["*"] }];
  const hook = {
    name: "hook.example.com",
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    clientConfig,
    rules,
    ...more,
  };
  const { status } = await api.post(`${HOOKS}/${kind}webhookconfigurations`, {
    metadata: { name: "hooks" },
    webhooks: [hook],
  });
  expect(status).toBe(201);
}

const patch = (operations: object[]): object => ({
  allowed: true,
  patchType: "JSONPatch",
  patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
});

test("a mutating webhook changes what is stored", async () => {
  answer = () => patch([{ op: "add", path: "/data", value: { added: "yes" } }]);
  await install("mutating");
  expect((await api.post(CONFIG_MAPS, { metadata: { name: "a" } })).body.data).toEqual({ added: "yes" });
});

test("a validating webhook refuses creates, updates and deletions, and nothing is stored", async () => {
  answer = () => ({ allowed: false, status: { code: 403, reason: "Forbidden", message: "not today" } });
  await install("validating");
  expect(await api.post(CONFIG_MAPS, { metadata: { name: "a" } })).toMatchObject({
    status: 403,
    body: { message: 'admission webhook "hook.example.com" denied the request: not today' },
  });
  expect((await api.get(`${CONFIG_MAPS}/a`)).status).toBe(404);
  answer = () => ({ allowed: true });
  await api.post(CONFIG_MAPS, { metadata: { name: "a" } });
  answer = () => ({ allowed: false });
  expect((await api.merge(`${CONFIG_MAPS}/a`, { data: { a: "1" } })).status).toBe(400);
  expect((await api.delete(`${CONFIG_MAPS}/a`)).status).toBe(400);
  expect(asked).toEqual(["CREATE a", "CREATE a", "UPDATE a", "DELETE a"]);
});

test("warnings reach the client", async () => {
  answer = () => ({ allowed: true, warnings: ["careful"] });
  await install("validating");
  expect((await api.post(CONFIG_MAPS, { metadata: { name: "a" } })).headers["warning"]).toBe('299 - "careful"');
});

test.each([
  { failurePolicy: "Fail", status: 500 },
  { failurePolicy: "Ignore", status: 201 },
])("a webhook that is down, with failurePolicy $failurePolicy: $status", async ({ failurePolicy, status }) => {
  await install("validating", { failurePolicy, clientConfig: { url: "https://127.0.0.1:1/" } });
  expect((await api.post(CONFIG_MAPS, { metadata: { name: "a" } })).status).toBe(status);
});

test.each([
  {
    what: "another operation",
    more: { rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["DELETE"] }] },
  },
  {
    what: "another resource",
    more: { rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["secrets"], operations: ["*"] }] },
  },
  {
    what: "another namespace",
    more: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "other" } } },
  },
  { what: "other labels", more: { objectSelector: { matchLabels: { a: "b" } } } },
  {
    what: "a condition that does not hold",
    more: { matchConditions: [{ name: "no", expression: "object.metadata.name == 'b'" }] },
  },
])("a webhook for $what is not asked", async ({ more }) => {
  answer = () => ({ allowed: false });
  await install("validating", more);
  expect((await api.post(CONFIG_MAPS, { metadata: { name: "a" } })).status).toBe(201);
  expect(asked).toEqual([]);
});
