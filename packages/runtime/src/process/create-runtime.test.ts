import { seededRandom, VirtualClock } from "@chaski/clock";
import { createEmbeddedCluster } from "@chaski/embedded";
import {
  ConfigMap,
  CoreEvent,
  Lease,
  Secret,
  ServiceAccount,
  type Transport,
  ValidatingWebhookConfiguration,
} from "@chaski/kube";
import { afterEach, expect, test } from "vitest";
import { accountController } from "../../test/doubles/account-controller.ts";
import type { Client } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import { Election } from "../leader/election.ts";
import { type Leadership, leadershipIn, undisputed } from "../leader/leadership.ts";
import { LocalStanding } from "../leader/standing.ts";
import { silentLogger } from "../log/logger.ts";
import { MemoryRecording } from "../recording/memory-recording.ts";
import { replay } from "../recording/replay.ts";
import { secretCertificates } from "../webhook/secret-certificates.ts";
import { createRuntime } from "./create-runtime.ts";
import { runUntilSignal, type SignalSource } from "./run.ts";
import type { Runtime, RuntimeOptions } from "./runtime.ts";

const runtimes = new Set<Runtime>();
afterEach(async () => {
  for (const runtime of runtimes) await runtime.stop();
  runtimes.clear();
});

async function setUp() {
  const clock = new VirtualClock();
  const cluster = await createEmbeddedCluster({ clock, random: seededRandom(1) });
  const user = createClient({ cluster: "user", transport: cluster.transport, clock, random: seededRandom(2) });
  const requests: string[] = [];
  const counted: Transport = {
    send: (request) => {
      if (!/watch=|\/livez/.test(request.path)) requests.push(`${request.method} ${request.path}`);
      return cluster.transport.send(request);
    },
    close: () => Promise.resolve(),
  };
  const replica = (options: Partial<RuntimeOptions> = {}): Runtime => {
    const runtime = createRuntime({
      name: "sea",
      instance: "sea-0",
      version: "1.0.0",
      delivery: { name: "shore", transport: counted },
      controllers: [accountController],
      clock,
      random: seededRandom(3),
      log: silentLogger,
      leadership: undisputed,
      isFrozen: true,
      ...options,
    });
    runtimes.add(runtime);
    return runtime;
  };
  return { clock, user, replica, requests };
}

async function createMap(user: Client, name: string): Promise<void> {
  const metadata = { namespace: "default", name, labels: { "sea.dev/account": "" } };
  await user.of(ConfigMap).create({ apiVersion: "v1", kind: "ConfigMap", metadata });
}

async function accounts(user: Client): Promise<readonly string[]> {
  const { items } = await user.of(ServiceAccount).list({ namespace: "default" });
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== "default");
}

function stand(user: Client, clock: VirtualClock, identity: string): Leadership {
  const standing = new LocalStanding(clock);
  const key = { namespace: "default", name: "sea" };
  const options = { leases: user.of(Lease), key, identity, clock, random: seededRandom(4), standing };
  return leadershipIn(standing, (onElected) => new Election({ ...options, onElected }));
}

test("a controller brings about what it owns, tells it, and heals what others remove", async () => {
  const { clock, user, replica } = await setUp();
  await createMap(user, "tern");
  await replica().start();
  await clock.advance(1_000);
  expect(await accounts(user)).toEqual(["tern"]);
  const { items } = await user.of(CoreEvent).list({ namespace: "default" });
  expect(items.map(({ reason, involvedObject }) => [reason, involvedObject.name])).toEqual([["Opened", "tern"]]);
  await user.of(ServiceAccount).delete({ namespace: "default", name: "tern" });
  await clock.advance(1_000);
  expect(await accounts(user)).toEqual(["tern"]);
});

test("an idle owner costs no reads and no writes", async () => {
  const { clock, user, replica, requests } = await setUp();
  await createMap(user, "tern");
  await replica().start();
  await clock.advance(60_000);
  requests.length = 0;
  await clock.advance(3_600_000);
  expect(requests).toEqual([]);
});

test("what was decided is recorded and replays", async () => {
  const { clock, user, replica } = await setUp();
  const recording = new MemoryRecording();
  await createMap(user, "tern");
  await replica({ recordings: [recording] }).start();
  await clock.advance(1_000);
  const lines = recording.lines("sea.account:default/tern");
  expect(lines.length).toBeGreaterThan(0);
  expect(replay(lines, accountController.decide)).toEqual({ passes: lines.length });
});

test("health and metrics are served, ready when the caches are", async () => {
  const { clock, replica } = await setUp();
  const runtime = replica({ health: { host: "127.0.0.1", port: 0 } });
  await runtime.start();
  const ask = async (path: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${runtime.ports.health}${path}`)).text();
  await clock.advance(1_000);
  expect(await ask("/readyz")).toBe("ok");
  const metrics = await ask("/metrics");
  expect(metrics).toContain('controller_runtime_max_concurrent_reconciles{controller="sea.account"} 1');
  expect(metrics).toContain('leader_election_master_status{name="sea"} 1');
  expect(metrics).toMatch(/rest_client_requests_total\{code="200",method="GET",host="local"\} \d/);
});

test("a replica that waits keeps its caches warm and takes over at once", async () => {
  const { clock, user, replica } = await setUp();
  const first = replica({ leadership: stand(user, clock, "first") });
  await first.start();
  await clock.advance(1_000);
  const second = replica({ leadership: stand(user, clock, "second") });
  await second.start();
  await createMap(user, "tern");
  await clock.advance(10_000);
  expect(await accounts(user)).toEqual(["tern"]);
  runtimes.delete(first);
  const stopped = first.stop();
  await clock.advance(1);
  await stopped;
  await createMap(user, "gull");
  await clock.advance(5_000);
  expect(await accounts(user)).toEqual(["gull", "tern"]);
});

test("a replica that does not lead serves webhooks with an authority that it has written, and nothing else", async () => {
  const { clock, user, replica } = await setUp();
  const name = "sea";
  const webhook = {
    name: "accounts.sea.dev",
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    clientConfig: { url: "https://127.0.0.1:9443/validate" },
  };
  const configurations = user.of(ValidatingWebhookConfiguration);
  const apiVersion = "admissionregistration.k8s.io/v1";
  await configurations.create({
    apiVersion,
    kind: "ValidatingWebhookConfiguration",
    metadata: { name },
    webhooks: [webhook],
  });
  await createMap(user, "tern");
  const key = { namespace: "default", name: "sea-webhook" };
  const waiting: Leadership = { ...undisputed, isLeading: () => false, elected: new Promise(() => {}) };
  const runtime = replica({
    leadership: waiting,
    webhooks: {
      host: "127.0.0.1",
      port: 0,
      handlers: [],
      targets: { validating: [name] },
      certificates: (client) =>
        secretCertificates({
          secrets: client.of(Secret),
          key,
          clock,
          dnsNames: ["sea.default.svc"],
          onError: () => {},
        }),
    },
  });
  await runtime.start();
  await clock.advance(60_000);
  const { data = {} } = await user.of(Secret).get(key);
  const { webhooks = [] } = await configurations.get({ name });
  expect(webhooks.map(({ clientConfig }) => clientConfig.caBundle)).toEqual([data["ca.crt"]]);
  expect(runtime.ports.webhooks).toBeGreaterThan(0);
  expect(await accounts(user)).toEqual([]);
});

/** A process that the test signals. */
class FakeProcess implements SignalSource {
  readonly #listeners = new Set<() => void>();
  exitCode: number | undefined;

  on(_signal: string, listener: () => void): void {
    this.#listeners.add(listener);
  }

  off(_signal: string, listener: () => void): void {
    this.#listeners.delete(listener);
  }

  exit(code: number): void {
    this.exitCode = code;
  }

  signal(): void {
    for (const listener of this.#listeners) listener();
  }
}

test("a signal finishes what is in hand and ends with 0; a second one ends at once", async () => {
  const { clock, user, replica } = await setUp();
  const source = new FakeProcess();
  const ended = runUntilSignal(replica(), silentLogger, source);
  await createMap(user, "tern");
  await clock.advance(1_000);
  source.signal();
  expect(source.exitCode).toBeUndefined();
  source.signal();
  expect(source.exitCode).toBe(130);
  await clock.advance(1);
  expect(await ended).toBe(0);
  await createMap(user, "gull");
  await clock.advance(60_000);
  expect(await accounts(user)).toEqual(["tern"]);
});

test("losing the lease ends the process, and nothing is written after it", async () => {
  const { clock, user, replica } = await setUp();
  const leadership = stand(user, clock, "first");
  const ended = runUntilSignal(replica({ leadership }), silentLogger, new FakeProcess());
  await clock.advance(1_000);
  const lease = await user.of(Lease).get({ namespace: "default", name: "sea" });
  await user.of(Lease).update({ ...lease, spec: { ...lease.spec, holderIdentity: "mallory" } });
  await clock.advance(5_000);
  expect(await ended).toBe(1);
  await createMap(user, "tern");
  await clock.advance(60_000);
  expect(await accounts(user)).toEqual([]);
});
