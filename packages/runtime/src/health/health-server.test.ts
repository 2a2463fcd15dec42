import { RealClock, VirtualClock } from "@chaski/clock";
import { afterEach, expect, test, vi } from "vitest";
import { prometheusMetrics } from "../metrics/prometheus.ts";
import { type HealthOptions, type HealthServer, startHealthServer } from "./health-server.ts";

const servers: HealthServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function ask(path: string, options: Partial<HealthOptions> = {}): Promise<{ status: number; body: string }> {
  const server = await startHealthServer({ clock: new RealClock(), host: "127.0.0.1", port: 0, ...options });
  servers.push(server);
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return { status: response.status, body: await response.text() };
}

const ready = { caches: () => "deployments.apps has not synced", webhook: () => undefined };

test("a process without complaints is healthy and ready", async () => {
  expect(await ask("/healthz")).toEqual({ status: 200, body: "ok" });
  expect(await ask("/readyz")).toEqual({ status: 200, body: "ok" });
});

test("a failed check is named with its reason, and the others are listed", async () => {
  expect(await ask("/readyz", { ready })).toEqual({
    status: 500,
    body: "[-]caches failed: deployments.apps has not synced\n[+]webhook ok\nreadyz check failed\n",
  });
  expect(await ask("/healthz", { ready })).toMatchObject({ status: 200 });
});

test("?verbose lists what passed", async () => {
  const { status, body } = await ask("/healthz?verbose", { live: { loop: () => undefined } });
  expect({ status, body }).toEqual({ status: 200, body: "[+]loop ok\nhealthz check passed\n" });
});

test("a single check can be asked by its name", async () => {
  expect(await ask("/readyz/webhook", { ready })).toMatchObject({ status: 200 });
  expect(await ask("/readyz/caches", { ready })).toMatchObject({ status: 500 });
  expect(await ask("/readyz/unknown", { ready })).toMatchObject({ status: 404 });
});

test("a check that throws or hangs has failed", async () => {
  const throwing = () => {
    throw new Error("no etcd");
  };
  expect((await ask("/readyz", { ready: { throwing } })).body).toContain("[-]throwing failed: no etcd");
  const clock = new VirtualClock();
  const answer = ask("/readyz", { clock, ready: { hanging: () => new Promise(() => {}) } });
  await vi.waitUntil(async () => {
    await clock.advance(5_000);
    return Promise.race([answer, clock.settle().then(() => undefined)]);
  });
  expect((await answer).body).toContain("[-]hanging failed: no answer within 5000 ms");
});

test("metrics are served beside them", async () => {
  const metrics = prometheusMetrics();
  metrics.counter({ name: "boats_total", help: "Boats" }).increase({}, 2);
  expect(await ask("/metrics", { metrics })).toMatchObject({
    status: 200,
    body: expect.stringContaining("boats_total 2"),
  });
  expect(await ask("/metrics")).toMatchObject({ status: 404 });
});
