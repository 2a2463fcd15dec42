import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RealClock } from "@chaski/clock";
import { createAuthority } from "@chaski/pki";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Evidence } from "../../engine/world.ts";
import type { Subject } from "../judge.ts";
import { firingAlerts, readAnswer } from "./answer.ts";
import type { PrometheusAccess } from "./prometheus-api.ts";
import { prometheusJudge } from "./prometheus-judge.ts";
import { alertQuery } from "./query.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const v1: Subject = { app: "tutu", tag: "v1", isCanaryOnly: false };
const vector = (...metrics: readonly object[]) => ({
  status: "success",
  data: { resultType: "vector", result: metrics.map((metric) => ({ metric, value: [1, "1"] })) },
});
const json =
  (body: unknown, status = 200): Answer =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

let folder = "";
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "chaski-judge-"))));
afterEach(() => rm(folder, { recursive: true }));

/** The first verdict of a judge whose Prometheus answers like this. */
async function judgedBy(
  answer: Answer,
  {
    access = {},
    deadlineMs = 2_000,
    login = "",
    tls,
  }: { access?: PrometheusAccess; deadlineMs?: number; login?: string; tls?: ServerOptions } = {},
): Promise<{ readonly evidence: Evidence; readonly requests: readonly IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const listener: Answer = (request, response) => {
    requests.push(request);
    answer(request, response);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `${tls ? "https" : "http"}://${login}127.0.0.1:${(server.address() as AddressInfo).port}/prefix/`;
  const judge = prometheusJudge({ clock: new RealClock(), address, everyMs: 60_000, deadlineMs, access: () => access });
  try {
    await new Promise<void>((resolve) => {
      judge.subscribe(() => resolve());
      judge.evidenceOf(v1);
    });
    return { evidence: judge.evidenceOf(v1), requests };
  } finally {
    judge.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe("the query", () => {
  test("is one for all apps, and per tag for canary alerts", () => {
    expect(alertQuery(v1)).toBe('sum by(tag,app,alertname)(ALERTS{slo="true",alertstate="firing"})');
    expect(alertQuery({ ...v1, isCanaryOnly: true })).toBe(
      'sum by(tag,app,alertname)(ALERTS{ tag="v1",canary="true",alertstate="firing"})',
    );
  });

  test("is sent as an instant query below the address's path", async () => {
    const { requests } = await judgedBy(json(vector()));
    const url = new URL(requests[0]?.url ?? "", "http://prometheus");
    expect(url.pathname).toBe("/prefix/api/v1/query");
    expect(url.searchParams.get("query")).toBe(alertQuery(v1));
  });
});

describe("the answer", () => {
  test("scenario 22: only samples with app, tag and alert name count", () => {
    const firing = readAnswer(
      200,
      JSON.stringify(
        vector(
          { app: "tutu", tag: "v1", alertname: "test" },
          { app: "tutu", alertname: "test" },
          { tag: "v3", alertname: "test" },
          { app: "tutux", tag: "v4", alertname: "test" },
        ),
      ),
    );
    expect(["v1", "v2", "v3", "v4"].map((tag) => firingAlerts(firing, { app: "tutu", tag }))).toEqual([
      ["test"],
      [],
      [],
      [],
    ]);
  });

  test.each([
    { that: "has a firing alert", body: vector({ app: "tutu", tag: "v1", alertname: "test" }), verdict: "fail" },
    { that: "is empty", body: vector(), verdict: "pass" },
    {
      that: "is partial (Thanos)",
      body: { ...vector(), warnings: ["store 7 is down"] },
      verdict: "unknown",
      cause: "the answer is partial: store 7 is down",
    },
    {
      that: "is a matrix",
      body: { status: "success", data: { resultType: "matrix", result: [] } },
      verdict: "unknown",
      cause: "the answer is no vector but matrix",
    },
    {
      that: "has samples without labels",
      body: { status: "success", data: { resultType: "vector", result: [7] } },
      verdict: "unknown",
      cause: "the answer's vector can't be read",
    },
    {
      that: "is an error",
      body: { status: "error", errorType: "timeout", error: "query timed out" },
      status: 503,
      verdict: "unknown",
      cause: "it answered 503: query timed out",
    },
    {
      that: "is a proxy's own page",
      body: "<html>",
      status: 502,
      verdict: "unknown",
      cause: "it answered 502 with something else than its API does",
    },
  ])("that $that means $verdict", async ({ body, status, verdict, cause }) => {
    const { evidence } = await judgedBy(json(body, status));
    expect(evidence).toMatchObject({ judge: "prometheus", verdict, ...(cause && { cause }) });
  });

  test("that never comes is unknown at the deadline", async () => {
    const { evidence } = await judgedBy(() => {}, { deadlineMs: 50 });
    expect(evidence).toMatchObject({ verdict: "unknown", cause: "no answer within 0.05 s" });
  });

  test("that breaks off is unknown", async () => {
    const { evidence } = await judgedBy((_request, response) => {
      response.writeHead(200, { "content-length": "1000" }).write("{");
      response.destroy();
    });
    expect(evidence).toMatchObject({ verdict: "unknown", cause: expect.stringMatching(/^it can't be reached/) });
  });

  test("that never ends is not read to its end", async () => {
    const { evidence } = await judgedBy(
      (_request, response) => {
        response.writeHead(200);
        const more = (): void => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
          response.once("drain", more);
        };
        more();
      },
      { deadlineMs: 10_000 },
    );
    expect(evidence).toMatchObject({ verdict: "unknown", cause: "the answer is larger than 8388608 bytes" });
  });
});

describe("who we are", () => {
  test("a bearer token out of a file, and headers", async () => {
    const bearerTokenFile = join(folder, "token");
    await writeFile(bearerTokenFile, "s3cr3t-t0k3n\n");
    const { requests } = await judgedBy(json(vector()), {
      access: { bearerTokenFile, headers: { "x-scope-orgid": "7" } },
    });
    expect(requests[0]?.headers).toMatchObject({ authorization: "Bearer s3cr3t-t0k3n", "x-scope-orgid": "7" });
  });

  test("a name and a password in the address, told to nobody else", async () => {
    const { requests, evidence } = await judgedBy(json({ status: "error", error: "no" }, 401), {
      login: "ann:s3cr3t@",
    });
    expect(requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from("ann:s3cr3t").toString("base64")}`);
    expect(JSON.stringify(evidence)).not.toContain("s3cr3t");
  });

  test("a client certificate, to a server that an authority of its own vouches for", async () => {
    const authority = createAuthority({ name: "test", clock: new RealClock(), days: 1 });
    const server = authority.issue({ commonName: "prometheus", usage: "server", ipAddresses: ["127.0.0.1"], days: 1 });
    const client = authority.issue({ commonName: "chaski", usage: "client", days: 1 });
    const files = { ca: authority.certificate, certificate: client.certificate, key: client.key };
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    const access = {
      certificateAuthorityFile: join(folder, "ca"),
      clientCertificate: { certificateFile: join(folder, "certificate"), keyFile: join(folder, "key") },
    };
    const tls = { cert: server.certificate, key: server.key, ca: authority.certificate, requestCert: true };
    expect((await judgedBy(json(vector()), { access, tls })).evidence.verdict).toBe("pass");
    const { certificateAuthorityFile } = access;
    const anonymous = await judgedBy(json(vector()), { access: { certificateAuthorityFile }, tls });
    expect(anonymous.evidence).toMatchObject({
      verdict: "unknown",
      cause: expect.stringMatching(/^it can't be reached/),
    });
  });

  test("a token file that is not there is unknown, not anonymous", async () => {
    const { requests, evidence } = await judgedBy(json(vector()), {
      access: { bearerTokenFile: join(folder, "none") },
    });
    expect(evidence.cause).toMatch(/none can't be read \(ENOENT\)$/);
    expect(requests).toEqual([]);
  });

  test("a secret that Prometheus echoes does not reach the evidence", async () => {
    const error = "bad token Bearer s3cr3t-t0k3n-long";
    const { evidence } = await judgedBy(json({ status: "error", error }, 401));
    expect(JSON.stringify(evidence)).not.toContain("s3cr3t");
  });
});
