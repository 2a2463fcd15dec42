import { request } from "node:https";
import { RealClock, VirtualClock } from "@chaski/clock";
import { ConfigMap } from "@chaski/kube";
import { createAuthority } from "@chaski/pki";
import { afterEach, describe, expect, test } from "vitest";
import { silentLogger } from "../log/logger.ts";
import { type AdmissionHandler, mutator, validator } from "./admission.ts";
import type { ServingCertificate, ServingCertificates } from "./certificates.ts";
import { startWebhookServer, type WebhookServer } from "./webhook-server.ts";

const clock = new RealClock();

function newCertificate(): Required<ServingCertificate> {
  const authority = createAuthority({ name: "test", clock, days: 1 });
  const { certificate, key } = authority.issue({
    commonName: "webhook",
    usage: "server",
    ipAddresses: ["127.0.0.1"],
    days: 1,
  });
  return { certificate, key, caBundle: authority.certificate };
}

/** Certificates that the test exchanges. */
class ManualCertificates implements ServingCertificates {
  certificate = newCertificate();
  #listener: (certificate: ServingCertificate) => void = () => {};

  current(): Promise<ServingCertificate> {
    return Promise.resolve(this.certificate);
  }

  onChange(listener: (certificate: ServingCertificate) => void): () => void {
    this.#listener = listener;
    return () => {};
  }

  rotate(): void {
    this.certificate = newCertificate();
    this.#listener(this.certificate);
  }

  stop(): void {}
}

const handlers: readonly AdmissionHandler[] = [
  validator<ConfigMap>({
    path: "/validate",
    kind: ConfigMap,
    validate: ({ object, operation, old, user }) =>
      object?.data?.["size"] === "huge"
        ? { isAllowed: false, message: "data.size: must not be huge", warnings: ["sizes go away"] }
        : { isAllowed: true, warnings: [`${operation} by ${user.username} of ${(object ?? old)?.metadata.name}`] },
  }),
  mutator<ConfigMap>({
    path: "/mutate",
    kind: ConfigMap,
    mutate: (object) => ({ ...object, data: { size: "small", ...object.data } }),
  }),
  validator<ConfigMap>({
    path: "/throws",
    kind: ConfigMap,
    validate: () => {
      throw new Error("token hunter2 refused");
    },
  }),
  validator<ConfigMap>({ path: "/hangs", kind: ConfigMap, validate: () => new Promise(() => {}) }),
];

const servers: WebhookServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function setUp(options: { bodyBytesMax?: number; clock?: VirtualClock } = {}) {
  const certificates = new ManualCertificates();
  const server = await startWebhookServer({
    clock,
    log: silentLogger,
    host: "127.0.0.1",
    port: 0,
    handlers,
    certificates,
    ...options,
  });
  servers.push(server);
  return { certificates, server, post: postTo(server, certificates) };
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

interface Sent {
  readonly method?: string;
  readonly type?: string;
}

function postTo(server: WebhookServer, certificates: ManualCertificates) {
  return (path: string, body: unknown, { method = "POST", type = "application/json" }: Sent = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const address = { host: "127.0.0.1", port: server.port, path, method, ca: certificates.certificate.caBundle };
      const sent = request({ ...address, agent: false, headers: { "content-type": type } }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Answer["body"] }),
        );
      });
      sent.on("error", reject);
      sent.end(typeof body === "string" ? body : JSON.stringify(body));
    });
}

function reviewOf(object: unknown, fields: object = {}): object {
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "u-1",
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      operation: "CREATE",
      userInfo: { username: "ada" },
      object,
      ...fields,
    },
  };
}

function configMap(data: Record<string, string>): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data };
}

test("a validator allows, with warnings", async () => {
  const { post } = await setUp();
  expect(await post("/validate?timeout=10s", reviewOf(configMap({})))).toEqual({
    status: 200,
    body: {
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      response: { uid: "u-1", allowed: true, warnings: ["CREATE by ada of a"] },
    },
  });
});

test("a validator denies with the message that the user sees", async () => {
  const { post } = await setUp();
  const { body } = await post("/validate", reviewOf(configMap({ size: "huge" })));
  expect(body["response"]).toEqual({
    uid: "u-1",
    allowed: false,
    status: { code: 422, reason: "Invalid", message: "data.size: must not be huge" },
    warnings: ["sizes go away"],
  });
});

test("a deletion is reviewed by what is deleted", async () => {
  const { post } = await setUp();
  const deletion = reviewOf(null, { operation: "DELETE", oldObject: configMap({}) });
  const { body } = await post("/validate", deletion);
  expect(body["response"]).toMatchObject({ allowed: true, warnings: ["DELETE by ada of a"] });
});

test("a mutator answers with a JSON patch, and without one when nothing changes", async () => {
  const { post } = await setUp();
  const changed = (await post("/mutate", reviewOf(configMap({ colour: "red" })))).body["response"] as { patch: string };
  expect(changed).toMatchObject({ allowed: true, patchType: "JSONPatch" });
  expect(JSON.parse(Buffer.from(changed.patch, "base64").toString())).toEqual([
    { op: "add", path: "/data/size", value: "small" },
  ]);
  const same = (await post("/mutate", reviewOf(configMap({ size: "large" })))).body["response"];
  expect(same).toEqual({ uid: "u-1", allowed: true });
});

describe("bad input gets a clear answer", () => {
  test.each([
    { what: "an unknown path", path: "/nowhere", body: {}, status: 404, message: "no webhook is served at /nowhere" },
    { what: "no JSON", path: "/validate", body: "{", status: 400, message: "the body is not JSON" },
    { what: "no object", path: "/validate", body: "7", status: 400, message: "the body is not a JSON object" },
    { what: "no review", path: "/validate", body: { kind: "Pod" }, status: 400, message: "not an AdmissionReview" },
    {
      what: "an old review",
      path: "/validate",
      body: { kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1beta1" },
      status: 400,
      message: "v1beta1",
    },
    {
      what: "a review without a request",
      path: "/validate",
      body: { kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1" },
      status: 400,
      message: "no request",
    },
    {
      what: "another kind",
      path: "/validate",
      body: reviewOf({}, { kind: { group: "apps", version: "v1", kind: "Deployment" } }),
      status: 400,
      message: "/validate reviews ConfigMap v1, and was sent Deployment apps/v1",
    },
  ])("$what: $status", async ({ path, body, status, message }) => {
    const { post } = await setUp();
    expect(await post(path, body)).toEqual({ status, body: { message: expect.stringContaining(message) } });
  });

  test("another method or content type", async () => {
    const { post } = await setUp();
    expect(await post("/validate", "", { method: "PUT" })).toMatchObject({ status: 405 });
    expect(await post("/validate", "a: 1", { type: "application/yaml" })).toMatchObject({ status: 415 });
  });

  test("a body beyond the limit", async () => {
    const { post } = await setUp({ bodyBytesMax: 1_000 });
    expect(await post("/validate", reviewOf(configMap({ x: "x".repeat(2_000) })))).toEqual({
      status: 413,
      body: { message: "the body is larger than 1000 bytes" },
    });
  });
});

test("a handler that throws is an error without its details", async () => {
  const { post } = await setUp();
  const answer = await post("/throws", reviewOf(configMap({})));
  expect(answer.status).toBe(500);
  expect(JSON.stringify(answer.body)).not.toContain("hunter2");
});

test("a handler that hangs is given up when the API server gives up", async () => {
  const virtual = new VirtualClock();
  const { post } = await setUp({ clock: virtual });
  let answer: Answer | undefined;
  void post("/hangs?timeout=2s", reviewOf(configMap({}))).then((got) => (answer = got));
  await expect
    .poll(async () => {
      await virtual.advance(2_000);
      return answer?.status;
    })
    .toBe(504);
});

test("a new certificate serves new connections without a restart", async () => {
  const { certificates, post } = await setUp();
  expect(await post("/validate", reviewOf(configMap({})))).toMatchObject({ status: 200 });
  certificates.rotate();
  expect(await post("/validate", reviewOf(configMap({})))).toMatchObject({ status: 200 });
});
