import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "@chaski/clock";
import type { Metrics } from "../metrics/metrics.ts";

/** Undefined if all is well, otherwise the reason in a few words. */
export type Check = () => string | undefined | Promise<string | undefined>;
export type Checks = Readonly<Record<string, Check>>;

export interface HealthOptions {
  readonly clock: Clock;
  readonly host?: string;
  /** 0: chosen by the system. */
  readonly port: number;
  /** Restart the process if one of these fails. */
  readonly live?: Checks;
  /** Send no traffic while one of these fails. */
  readonly ready?: Checks;
  readonly metrics?: Metrics;
}

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

const CHECK_DEADLINE_MS = 5_000;

/** `/healthz`, `/readyz` and `/metrics` on one port, in the words of Kubernetes' own components. */
export async function startHealthServer(options: HealthOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    void answer(options, request).then(
      (reply) => send(response, reply),
      (error: unknown) => send(response, { status: 500, body: `internal error: ${String(error)}\n` }),
    );
  });
  server.listen(options.port, options.host ?? "0.0.0.0");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly contentType?: string;
}

async function answer(options: HealthOptions, { method, url = "/" }: IncomingMessage): Promise<Reply> {
  if (method !== "GET" && method !== "HEAD") return { status: 405, body: "method not allowed\n" };
  const { pathname, searchParams } = new URL(url, "http://health");
  const [, endpoint = "", only] = pathname.split("/");
  if (endpoint === "metrics" && options.metrics) return { status: 200, ...(await options.metrics.expose()) };
  const checks = checksAt(options, endpoint, only);
  if (!checks) return { status: 404, body: `${pathname} is not served here\n` };
  return verdict(endpoint, await runAll(options.clock, checks), searchParams.has("verbose"));
}

type NamedCheck = readonly [string, Check];

/** Undefined where nothing is served, such as `/readyz/unknown`. */
function checksAt(options: HealthOptions, endpoint: string, only?: string): readonly NamedCheck[] | undefined {
  const { live = {}, ready = {} } = options;
  const served = new Map([
    ["healthz", live],
    ["livez", live],
    ["readyz", ready],
  ]).get(endpoint);
  if (!served || only === undefined || only === "") return served && Object.entries(served);
  const check = served[only];
  return check && [[only, check]];
}

async function runAll(clock: Clock, checks: readonly NamedCheck[]): Promise<readonly CheckResult[]> {
  return Promise.all(checks.map(async ([name, check]) => ({ name, problem: await run(clock, check) })));
}

interface CheckResult {
  readonly name: string;
  readonly problem: string | undefined;
}

/** A check that hangs or throws has failed. */
async function run(clock: Clock, check: Check): Promise<string | undefined> {
  const deadline = clock.deadline(CHECK_DEADLINE_MS);
  const late = new Promise<string>((resolve) =>
    deadline.signal.addEventListener("abort", () => resolve(`no answer within ${CHECK_DEADLINE_MS} ms`)),
  );
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    deadline.cancel();
  }
}

function verdict(endpoint: string, results: readonly CheckResult[], isVerbose: boolean): Reply {
  const isWell = results.every(({ problem }) => problem === undefined);
  if (isWell && !isVerbose) return { status: 200, body: "ok" };
  const lines = results.map(({ name, problem }) =>
    problem === undefined ? `[+]${name} ok` : `[-]${name} failed: ${problem}`,
  );
  const body = [...lines, `${endpoint} check ${isWell ? "passed" : "failed"}`, ""].join("\n");
  return { status: isWell ? 200 : 500, body };
}

function send(response: ServerResponse, { status, body, contentType = "text/plain; charset=utf-8" }: Reply): void {
  response.writeHead(status, { "content-type": contentType, "x-content-type-options": "nosniff" }).end(body);
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}
