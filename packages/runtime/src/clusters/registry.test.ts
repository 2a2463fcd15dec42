import { Readable } from "node:stream";
import { seededRandom, VirtualClock } from "@chaski/clock";
import { ConfigMap } from "@chaski/kube";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ScriptedServer } from "../../test/doubles/scripted-server.ts";
import { createCaches } from "../cache/caches.ts";
import { createClient } from "../client/create-client.ts";
import { ClusterUnreachable } from "../client/errors.ts";
import { LOCAL_CLUSTER } from "./cluster.ts";
import { type ClusterDefinition, unusable } from "./definition.ts";
import { firstContact } from "./first-contact.ts";
import { ClusterRegistry } from "./registry.ts";

const random = seededRandom(1);
let clock: VirtualClock;
let server: ScriptedServer;
let registry: ClusterRegistry;
let changes: string[];
let rotationFailures: string[];

beforeEach(() => {
  clock = new VirtualClock();
  server = new ScriptedServer();
  changes = [];
  rotationFailures = [];
  const client = createClient({ cluster: LOCAL_CLUSTER, transport: new ScriptedServer().connect(), clock, random });
  const caches = createCaches({ client, clock, random });
  registry = new ClusterRegistry(
    { name: LOCAL_CLUSTER, client, caches, reachability: { state: "observed" } },
    {
      clock,
      random,
      createCaches: (client, report) => {
        const caches = createCaches({ client, clock, random, report });
        caches.declare(ConfigMap);
        return caches;
      },
      onRotationFailed: (cluster, error) => rotationFailures.push(`${cluster}: ${String(error)}`),
    },
  );
  registry.onChange((name) => changes.push(`${name} ${registry.get(name)?.reachability.state ?? "left"}`));
});

afterEach(async () => {
  await registry.stop();
});

function west({ token = "one", at = server, identity = "west.test" } = {}): ClusterDefinition {
  return {
    name: "west",
    identity,
    fingerprint: token,
    open: () => ({
      transport: at.connect(),
      credentials: { authorization: async () => token, refuse: () => false },
    }),
  };
}

async function observedWest() {
  registry.set([west()]);
  await clock.advanceUntil(() => registry.get("west")?.reachability.state === "observed");
  const cluster = registry.get("west");
  if (!cluster) throw new Error("west is not there");
  changes.length = 0;
  return cluster;
}

describe("reachability", () => {
  test("a cluster is stale until its caches have synced, then observed", async () => {
    registry.set([west()]);
    expect(registry.get("west")?.reachability.state).toBe("stale");
    await clock.advance(1_000);
    expect(registry.get("west")?.reachability).toEqual({ state: "observed" });
    expect(changes).toEqual(["west stale", "west observed"]);
  });

  test("a quiet cluster stays observed for the price of one GET of /livez", async () => {
    const cluster = await observedWest();
    server.requests.length = 0;
    await clock.advance(30_000);
    expect(cluster.reachability.state).toBe("observed");
    expect(changes).toEqual([]);
    expect(server.requests.filter((request) => request === "GET /livez")).toHaveLength(3);
  });

  test.each(["is silent", "refuses", "is unavailable"] as const)(
    "one that %s is stale after 15 s and unreachable after 60 s, with the cause and since when",
    async (mode) => {
      const cluster = await observedWest();
      const heardAtMs = clock.now();
      server.mode = mode;
      server.cutWatches();
      await clock.advance(14_999);
      expect(cluster.reachability.state).toBe("observed");
      await clock.advance(15_001);
      expect(cluster.reachability).toMatchObject({ state: "stale" });
      await clock.advance(45_000);
      expect(cluster.reachability).toMatchObject({ state: "unreachable" });
      const { sinceMs, cause } = cluster.reachability as { sinceMs: number; cause: string };
      expect(Math.abs(sinceMs - heardAtMs)).toBeLessThan(1_000);
      expect(cause).toMatch(
        { "is silent": /no answer within 4000 ms/, refuses: /ECONNREFUSED/, "is unavailable": /503/ }[mode],
      );
      expect(changes).toEqual(["west stale", "west unreachable"]);
    },
  );

  test("its version is asked for until it is known", async () => {
    let asked = 0;
    const transport = server.connect();
    const send: typeof transport.send = async (request) => {
      if (request.path !== "/version") return transport.send(request);
      if (asked++ === 0) return server.hang(request);
      return { status: 200, headers: {}, body: Readable.from([Buffer.from('{"major":"1","minor":"35+"}')]) };
    };
    registry.set([{ ...west(), open: () => ({ transport: { send, close: () => transport.close() } }) }]);
    await clock.advance(30_000);
    expect([registry.get("west")?.version, asked]).toEqual(["1.35", 2]);
  });

  test("one that returns is observed again once it has been heard and its watches run", async () => {
    const cluster = await observedWest();
    server.mode = "refuses";
    server.cutWatches();
    await clock.advanceUntil(() => cluster.reachability.state === "unreachable");
    server.mode = "answers";
    await clock.advanceUntil(() => cluster.reachability.state === "observed");
    expect(server.openWatches).toBe(1);
    expect(changes.at(-1)).toBe("west observed");
  });

  test("a live cluster that refuses our token is not observed: nothing can be seen there", async () => {
    const cluster = await observedWest();
    server.admits = "another token";
    server.cutWatches();
    await clock.advance(61_000);
    expect(cluster.reachability).toMatchObject({
      state: "unreachable",
      cause: expect.stringContaining("401") as string,
    });
  });

  test("a cluster that can't be connected to as defined is part of the fleet, with the reason", async () => {
    registry.set([unusable("west", new Error("Secret fleet/west holds no kubeconfig"))]);
    await clock.advance(61_000);
    expect(registry.get("west")?.reachability).toMatchObject({
      state: "unreachable",
      cause: expect.stringContaining("Secret fleet/west holds no kubeconfig") as string,
    });
  });
});

describe("the circuit breaker", () => {
  const get = (cluster: { client: ReturnType<typeof createClient> }) =>
    cluster.client.of(ConfigMap).get({ namespace: "a", name: "b" }, { deadlineMs: 1_000 });

  test("after three failures in a row calls fail at once, and nothing is sent", async () => {
    const cluster = await observedWest();
    server.mode = "refuses";
    for (let failure = 0; failure < 3; failure++)
      await expect(get(cluster)).rejects.toMatchObject({ reason: "ConnectionLost" });
    server.requests.length = 0;
    const before = clock.now();
    await expect(get(cluster)).rejects.toBeInstanceOf(ClusterUnreachable);
    await expect(get(cluster)).rejects.toMatchObject({ reason: "ClusterUnreachable", next: "wait" });
    expect(clock.now()).toBe(before);
    expect(server.requests).toEqual([]);
  });

  test("a deadline that passes counts as a failure, a caller that leaves does not", async () => {
    const cluster = await observedWest();
    server.mode = "is silent";
    for (let call = 0; call < 5; call++) {
      const leaving = new AbortController();
      const left = cluster.client.of(ConfigMap).get({ namespace: "a", name: "b" }, { signal: leaving.signal });
      leaving.abort(new Error("left"));
      await expect(left).rejects.toThrow("left");
    }
    for (let call = 0; call < 3; call++) {
      const late = expect(get(cluster)).rejects.toMatchObject({ reason: "Timeout" });
      await clock.advance(1_000);
      await late;
    }
    await expect(get(cluster)).rejects.toMatchObject({ reason: "ClusterUnreachable" });
  });

  test("while it is open one GET of /livez at a time asks, and its answer lets calls through again", async () => {
    const cluster = await observedWest();
    server.mode = "refuses";
    for (let failure = 0; failure < 3; failure++) await get(cluster).catch(() => undefined);
    server.requests.length = 0;
    await clock.advance(4_000);
    expect(server.requests).toEqual(["GET /livez", "GET /livez"]);
    server.mode = "answers";
    await expect(get(cluster)).rejects.toMatchObject({ reason: "ClusterUnreachable" });
    await clock.advance(2_000);
    await expect(get(cluster)).rejects.toMatchObject({ reason: "MalformedResponse" });
  });

  test("a dead cluster does not delay another", async () => {
    const east = new ScriptedServer();
    registry.set([west(), { ...west({ at: east }), name: "east" }]);
    await clock.advanceUntil(() => registry.clusters.every(({ reachability }) => reachability.state === "observed"));
    server.mode = "is silent";
    await clock.advance(70_000);
    expect(registry.get("west")?.reachability.state).toBe("unreachable");
    expect(registry.get("east")?.reachability.state).toBe("observed");
  });
});

describe("definitions", () => {
  test("the same definitions again change nothing", async () => {
    const cluster = await observedWest();
    registry.set([west()]);
    await clock.advance(1_000);
    expect(registry.get("west")).toBe(cluster);
    expect(changes).toEqual([]);
  });

  test("new credentials: the cluster and its caches stay, and the watch goes on over the new connection", async () => {
    server.admits = undefined;
    const cluster = await observedWest();
    server.requests.length = 0;
    registry.set([west({ token: "two" })]);
    await clock.advanceUntil(() => server.requests.some((request) => request.includes("watch=true")));
    server.admits = "two";
    await clock.advance(120_000);
    expect(registry.get("west")).toBe(cluster);
    expect(cluster.reachability.state).toBe("observed");
    expect(server.requests.find((request) => !request.includes("livez"))).toBe("GET /api");
    expect(changes).toEqual([]);
  });

  test("new credentials that do not work: the old ones stay in use, the failure is told, and they are tried again", async () => {
    server.admits = "one";
    const cluster = await observedWest();
    registry.set([west({ token: "two" })]);
    await clock.advance(15_000);
    expect(cluster.reachability.state).toBe("observed");
    expect(rotationFailures[0]).toContain("west: Unauthorized");
    // Its own status has changed, and so it is defined anew, as it was.
    registry.set([west({ token: "two" })]);
    server.admits = "two";
    await clock.advance(30_000);
    expect(cluster.problem).toBeUndefined();
    expect(cluster.reachability.state).toBe("observed");
  });

  test("another identity under the same name is another cluster", async () => {
    const cluster = await observedWest();
    const left: string[] = [];
    registry.visit(
      ({ name }) =>
        () =>
          left.push(name),
    );
    registry.set([west({ identity: "elsewhere.test" })]);
    expect(registry.get("west")).not.toBe(cluster);
    expect(left).toEqual(["west"]);
  });

  test("a cluster that is no longer defined is stopped: no watch, no probe, no timer", async () => {
    await observedWest();
    const left: string[] = [];
    registry.visit(
      ({ name }) =>
        () =>
          left.push(name),
    );
    registry.set([]);
    await clock.settle();
    server.requests.length = 0;
    await clock.advance(600_000);
    expect(server.openWatches).toBe(0);
    expect(server.requests).toEqual([]);
    expect(left).toEqual(["west"]);
    expect(changes).toEqual(["west left"]);
    expect(registry.clusters.map(({ name }) => name)).toEqual([LOCAL_CLUSTER]);
  });

  test("a visit sees the clusters that are there and those that join, each once", async () => {
    await observedWest();
    const seen: string[] = [];
    const stop = registry.visit(({ name }) => {
      seen.push(name);
      return () => seen.push(`${name} left`);
    });
    registry.set([west(), { ...west(), name: "east" }]);
    expect(seen).toEqual([LOCAL_CLUSTER, "west", "east"]);
    stop();
    expect(seen.slice(3)).toEqual([`${LOCAL_CLUSTER} left`, "west left", "east left"]);
  });
});

describe("first contact", () => {
  /** After how long, in seconds, it is over. */
  async function contactWith(members: readonly string[]): Promise<number> {
    let isOver = false;
    const { signal } = new AbortController();
    const startedMs = clock.monotonic();
    void firstContact({ fleet: registry, members: () => members, clock, signal }).then(() => (isOver = true));
    await clock.advanceUntil(() => isOver);
    return Math.round((clock.monotonic() - startedMs) / 1_000);
  }

  test("is over at once where there is no cluster", async () => {
    expect(await contactWith([])).toBe(0);
  });

  test("is over as soon as every cluster is observed, or known to be unusable", async () => {
    registry.set([west(), unusable("east", new Error("it has no Secret"))]);
    expect(await contactWith(["west", "east"])).toBe(0);
  });

  test.each([
    { what: "was not connected yet", isDefined: false },
    { what: "does not answer", isDefined: true },
  ])("waits five seconds for a cluster that $what, and no longer", async ({ isDefined }) => {
    server.mode = "is silent";
    registry.set(isDefined ? [west()] : []);
    expect(await contactWith(["west"])).toBe(5);
  });
});
