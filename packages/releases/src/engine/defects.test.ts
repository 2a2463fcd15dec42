// The defects of §15 that are about deciding, each named after its number.
import { findCondition, formatTimestamp } from "@chaski/kube";
import { MADE_ANNOTATION } from "@chaski/runtime/decision";
import { describe, expect, test } from "vitest";
import { deepFreeze } from "../../test/deep-freeze.ts";
import { ModelFleet } from "../../test/model-fleet.ts";
import { ago, pair, percentOf, pods, stateOf, v1Released } from "../../test/pair.ts";
import { aCluster, anEntry, aReleaseManager, aReplicaSet, aRevision, aWorld, NOW_MS } from "../../test/worlds.ts";
import { decideOutcome } from "./decide-outcome.ts";

describe("defects of the source documents", () => {
  test("D-05: only the label of this target is set, and only on garbage", () => {
    const old = { state: "failed", gitTimestamp: ago(1e9), ttl: 10, releaseEligible: false };
    const outcome = decideOutcome(pair(old, { revision: { ageMs: 1e9, spec: { failed: true } } }));
    expect(outcome.patches).toMatchObject([
      {
        ref: { name: "shop-v2" },
        patch: { metadata: { labels: { "target-deletable.picchu.medium.engineering/production": "true" } } },
      },
    ]);
    const marked = {
      ageMs: 1e9,
      spec: { failed: true },
      labels: { "target-deletable.picchu.medium.engineering/production": "true" },
    };
    expect(decideOutcome(pair(old, { revision: marked })).patches).toEqual([]);
  });

  test("D-06: a share that can't be is clamped, nothing crashes", () => {
    const outcome = decideOutcome(pair({ state: "releasing", currentPercent: 100 }));
    expect((percentOf(outcome, "v1") ?? 0) + (percentOf(outcome, "v2") ?? 0)).toBe(100);
  });

  test("D-07: a Revision without `release` is decided with the defaults", () => {
    const revision = aRevision("v1");
    const bare = {
      ...revision,
      spec: { ...revision.spec, targets: [{ name: "production", fleet: "main", scale: {} }] },
    };
    const outcome = decideOutcome(aWorld({ revisions: [bare], clusters: [aCluster("a")] }));
    expect(outcome.status.revisions?.[0]).toMatchObject({ ttl: 432_000, state: { current: "deploying" } });
  });

  test("D-09: an entry `nonsense` is told and left alone, its neighbours move", () => {
    const world = pair(
      { state: "nonsense" },
      {
        releaseManager: aReleaseManager([
          v1Released,
          anEntry("v2", { state: "nonsense" }),
          anEntry("v3", { state: "created" }),
        ]),
      },
    );
    const outcome = decideOutcome({ ...world, revisions: [...world.revisions, aRevision("v3")] });
    expect(stateOf(outcome, "v2")).toBe("nonsense");
    expect(stateOf(outcome, "v3")).toBe("deploying");
    expect(outcome.gates).toContainEqual(expect.objectContaining({ name: "State", verdict: "failed", subject: "v2" }));
  });

  test("D-10: a ReplicaSet with only the dotted label is ignored", () => {
    const dotted = {
      ...aReplicaSet("v1", 3),
      metadata: { name: "v1", labels: { "tag.picchu.medium.engineering": "v1" } },
    };
    const cluster = { ...aCluster("a"), replicaSets: [dotted] };
    const outcome = decideOutcome(aWorld({ revisions: [aRevision("v1")], clusters: [cluster] }));
    expect(outcome.status.revisions?.[0]).toMatchObject({ deleted: true, scale: { Current: 0 } });
  });

  test("D-20: a Revision without a minimum gets one pod at least", () => {
    const scale = { max: 8, targetCPUUtilizationPercentage: 70 };
    const outcome = decideOutcome(
      pair(
        { state: "releasing", currentPercent: 20 },
        {
          revision: { target: { scale } },
          clusters: [aCluster("a", { pods: { v1: 4, v2: 4 }, weights: { v1: 80, v2: 20 } })],
        },
      ),
    );
    expect(outcome.plan?.clusters[0]?.revisions.find(({ tag }) => tag === "v2")?.bounds?.min).toBeGreaterThanOrEqual(1);
  });

  test("D-64: nothing that is handed in is changed", () => {
    const world = deepFreeze(pair({ state: "releasing", currentPercent: 20 }));
    expect(decideOutcome(world)).toEqual(decideOutcome(world));
  });
});

describe("defects noticed in the replaced operator", () => {
  test("D-18: an empty traffic policy is none", () => {
    const outcome = decideOutcome(
      pair({ state: "deployed" }, { revision: { target: { istio: { trafficPolicy: {} } } } }),
    );
    expect(outcome.plan?.clusters[0]?.route?.subsets).toEqual([{ tag: "v1" }, { tag: "v2" }]);
  });

  test("D-37: the newest deployed revision speaks for the app", () => {
    const target = { defaultIngressPorts: { private: "grpc" }, ports: [{ name: "grpc", mode: "private" }] };
    const outcome = decideOutcome(pair({ state: "released", releaseEligible: false }, { revision: { target } }));
    expect(outcome.plan?.app.routing.defaultIngressPorts).toEqual({ private: "http" });
    const deployed = decideOutcome(pair({ state: "releasing" }, { revision: { target } }));
    expect(deployed.plan?.app.routing.defaultIngressPorts).toEqual({ private: "grpc" });
  });

  test("D-36: a ReleaseManager without clusters can be deleted", () => {
    const releaseManager = aReleaseManager([], { deletionTimestamp: ago(1000) });
    const outcome = decideOutcome(aWorld({ revisions: [], clusters: [], releaseManager }));
    expect(outcome.patches).toMatchObject([{ patch: { metadata: { finalizers: [] } } }]);
  });

  test("D-36: deletion removes the namespace and what lies outside of it, then the finalizer", () => {
    const releaseManager = aReleaseManager([], { deletionTimestamp: ago(1000) });
    const metadata = { name: "shop-production", annotations: { [MADE_ANNOTATION]: "" } };
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata };
    const level = {
      apiVersion: "sloth.slok.dev/v1",
      kind: "PrometheusServiceLevel",
      metadata: { name: "shop-production-servicelevels", namespace: "slos" },
    };
    const service = { apiVersion: "v1", kind: "Service", metadata: { name: "shop", namespace: "shop-production" } };
    const outcome = decideOutcome(
      aWorld({ revisions: [], clusters: [aCluster("a", { owned: [namespace, level, service] })], releaseManager }),
    );
    expect(outcome.entries["a"]?.map(({ verb, ref }) => `${verb} ${ref.kind.kind}`)).toEqual([
      "remove Namespace",
      "remove PrometheusServiceLevel",
      "keep Service",
    ]);
    expect(outcome.patches).toEqual([]);
  });

  test("rule 6: a clean-up that does not succeed ends after an hour, with an event", () => {
    const releaseManager = aReleaseManager([], { deletionTimestamp: ago(3_600_001) });
    const contact = { state: "unreachable" as const, cause: "gone" };
    const outcome = decideOutcome(aWorld({ revisions: [], clusters: [aCluster("a", { contact })], releaseManager }));
    expect(outcome.patches).toHaveLength(1);
    expect(outcome.events).toMatchObject([{ reason: "CleanupTimeout" }]);
  });

  test("D-38: an unreachable live cluster holds the ramp and says so", () => {
    const contact = { state: "unreachable" as const, lastHeardMs: NOW_MS - 90_000, cause: "i/o timeout" };
    const weights = { v1: 80, v2: 20 };
    const clusters = [
      aCluster("a", { pods: { v1: 4, v2: 40 }, weights }),
      aCluster("b", { pods: { v1: 4, v2: 40 }, weights, contact }),
    ];
    const releaseManager = aReleaseManager([
      { ...v1Released, currentPercent: 80 },
      anEntry("v2", { state: "releasing", currentPercent: 20, ...pods(80) }),
    ]);
    const held = decideOutcome(pair({ state: "releasing" }, { clusters, releaseManager }));
    expect(percentOf(held, "v2")).toBe(20);
    expect(held.gates).toContainEqual(expect.objectContaining({ name: "Observed", cluster: "b", verdict: "unknown" }));
    const quarantined = [
      clusters[0] ?? aCluster("a"),
      aCluster("b", { pods: { v1: 4, v2: 40 }, weights, contact, annotations: { "chaski.dev/quarantine": "" } }),
    ];
    expect(
      percentOf(decideOutcome(pair({ state: "releasing" }, { clusters: quarantined, releaseManager })), "v2"),
    ).toBe(40);
  });

  test("D-41: eligibility follows the spec until traffic is decided on", () => {
    expect(stateOf(decideOutcome(pair({ state: "deployed", releaseEligible: false })), "v2")).toBe("pendingrelease");
  });

  test("D-42: the time of waiting for a release is written down", () => {
    const entry = decideOutcome(pair({ state: "deployed" })).status.revisions?.find(({ tag }) => tag === "v2");
    expect(entry?.pendingReleaseStartTimestamp).toBe(formatTimestamp(NOW_MS));
  });

  test("D-48: one budget, from the newest revision that has pods", () => {
    const outcome = decideOutcome(
      pair({ state: "deployed" }, { revision: { target: { podDisruptionBudget: { minAvailable: 3 } } } }),
    );
    expect(outcome.plan?.app.podDisruptionBudget).toEqual({ minAvailable: 3 });
  });

  test("D-53: a waypoint's maximum below its minimum is raised", () => {
    const target = { ambientMesh: true, waypointHPA: { minReplicas: 4, maxReplicas: 3 } };
    const outcome = decideOutcome(pair({ state: "deployed" }, { revision: { target } }));
    expect(outcome.plan?.app.mesh).toMatchObject({ mode: "transition", waypoint: { minReplicas: 4, maxReplicas: 4 } });
  });

  test("D-55: alert rules do not depend on ports", () => {
    const target = { ports: [], alertRules: [{ alert: "Down" }] };
    const outcome = decideOutcome(pair({ state: "releasing" }, { revision: { target } }));
    expect(outcome.plan?.app.alertRules).toEqual([{ alert: "Down" }]);
  });

  test("D-60: a test of 20 minutes with a timeout of two hours goes on", () => {
    const externalTest = { enabled: true, started: true, completed: false, lastUpdated: ago(1_200_000) };
    const world = pair({ state: "testing" }, { revision: { target: { externalTest } } });
    const entries = (world.releaseManager.status?.revisions ?? []).map((entry) => ({
      ...entry,
      state: { ...entry.state, lastUpdated: ago(1_200_000) },
    }));
    expect(stateOf(decideOutcome({ ...world, releaseManager: aReleaseManager(entries) }), "v2")).toBe("testing");
  });

  test("D-61: a cluster that works on no events does not count for an event-driven revision, and gets no autoscaler", () => {
    const clusters = [
      aCluster("a", { pods: { v1: 2, v2: 1 }, weights: { v1: 100 } }),
      aCluster("b", { pods: { v1: 2, v2: 0 }, weights: { v1: 100 }, spec: { disableEventDriven: true } }),
    ];
    const outcome = decideOutcome(
      pair({ state: "deploying" }, { clusters, revision: { spec: { eventDriven: true } } }),
    );
    expect(stateOf(outcome, "v2")).toBe("deployed");
    expect(outcome.plan?.clusters[1]?.revisions.find(({ tag }) => tag === "v2")).toEqual({
      tag: "v2",
      initialReplicas: 0,
    });
  });

  test("D-62: an ambient revision that waits for its schedule has a ScaledObject of 0..0", () => {
    const target = {
      ambientMesh: true,
      scale: { min: 2, max: 8, targetRequestsRate: "5" },
      release: { schedule: "humane" },
    };
    const parked = { state: "pendingrelease", unrouted: [{ cluster: "a", since: ago(60_000) }] };
    const world = pair(parked, { revision: { target }, nowMs: Date.parse("2026-03-08T12:00:00Z") });
    const outcome = decideOutcome({
      ...world,
      flags: { ...world.flags, clusterPrometheusAddress: "http://p", isHumaneReleasesEnabled: false },
    });
    expect(outcome.plan?.clusters[0]?.revisions.find(({ tag }) => tag === "v2")?.bounds).toEqual({ min: 0, max: 0 });
  });

  test("D-63: a new deployment clears old alerts", () => {
    const outcome = decideOutcome(pair({ state: "failed", triggeredAlerts: ["SloBurn"] }));
    expect(outcome.status.revisions?.find(({ tag }) => tag === "v2")?.triggeredAlerts).toBeUndefined();
  });

  test("D-63: alerts that fire are remembered with the revision", () => {
    const evidence = { v2: [{ judge: "prometheus", verdict: "fail" as const, alerts: ["Slow", "Burning"] }] };
    const outcome = decideOutcome(pair({ state: "canarying" }, { evidence }));
    expect(outcome.status.revisions?.find(({ tag }) => tag === "v2")?.triggeredAlerts).toEqual(["Burning", "Slow"]);
  });

  test("§12.5: a judge that a revision wants and nobody configured is a condition, and holds nothing", () => {
    const revision = { target: { serviceLevelObjectives: [{ name: "up", enabled: true }] } };
    const world = pair({ state: "deployed" }, { revision });
    const outcome = decideOutcome({ ...world, flags: { ...world.flags, judges: ["datadog"] } });
    expect(outcome.status.conditions).toContainEqual(
      expect.objectContaining({ type: "JudgeNotConfigured", status: "True" }),
    );
  });

  test("D-69: a fault without a port is left out", () => {
    const faults = [
      { fault: {} },
      { portSelector: null, fault: {} },
      { portSelector: { number: 80 }, fault: { abort: {} } },
    ];
    expect(decideOutcome(pair({ state: "deployed" }, { faults })).plan?.app.routing.faults).toHaveLength(1);
  });

  test("D-71: what is needed and not served is told by the name of its CRD", () => {
    const bare = { ...aCluster("a", { pods: { v1: 4, v2: 4 }, weights: { v1: 100 } }), served: [] };
    const outcome = decideOutcome(pair({ state: "deployed" }, { clusters: [bare] }));
    const missing = outcome.gates.filter(({ name }) => name === "KindServed").map(({ value }) => value);
    expect(missing).toEqual(["destinationrules.networking.istio.io", "virtualservices.networking.istio.io"]);
  });

  test("D-71: without Istio on a cluster a plain worker is released", () => {
    const fleet = new ModelFleet({ clusters: [{ factor: "1.0", isStandby: false }], startMs: NOW_MS });
    fleet.revisions.set("v1", aRevision("v1", { target: { ports: [] } }));
    expect(fleet.runUntil(() => fleet.state("v1") === "released")).toBe(true);
    fleet.revisions.set("v2", aRevision("v2", { target: { ports: [] } }));
    expect(fleet.runUntil(() => fleet.state("v2") === "released" && fleet.state("v1") === "retired")).toBe(true);
  });

  test("D-72: with nothing else serving there is no canary, and never weight without a ready pod", () => {
    const fleet = new ModelFleet({ clusters: [{ factor: "1.0", isStandby: false }], startMs: NOW_MS });
    fleet.revisions.set(
      "v1",
      aRevision("v1", {
        target: { canary: { percent: 10, ttl: 30 }, serviceLevelObjectives: [{ name: "up", enabled: true }] },
      }),
    );
    const isServed = (): boolean =>
      Object.keys(fleet.clusters[0]?.live.weights ?? {}).every(
        (tag) => (fleet.clusters[0]?.live.replicaSets.get(tag)?.ready ?? 0) > 0,
      );
    expect(fleet.runUntil(() => !isServed() || fleet.state("v1") === "released")).toBe(true);
    expect(isServed()).toBe(true);
    expect(fleet.entry("v1")?.wonPercent).toBeUndefined();
  });

  test("D-82: a lost status is read back from the routes", () => {
    const clusters = [aCluster("a", { pods: { v1: 8, v2: 4 }, weights: { v1: 60, v2: 40 } })];
    const outcome = decideOutcome(
      aWorld({
        revisions: [aRevision("v1"), aRevision("v2"), aRevision("v3")],
        clusters,
        releaseManager: aReleaseManager([]),
      }),
    );
    expect(outcome.status.revisions).toMatchObject([
      { tag: "v1", currentPercent: 60, peakPercent: 100, state: { current: "released" } },
      { tag: "v2", currentPercent: 40, peakPercent: 40, state: { current: "releasing" } },
      { tag: "v3", currentPercent: 0, state: { current: "deploying" } },
    ]);
  });

  test("D-83: a release whose last Revision vanished under traffic goes on for a while", () => {
    const world = pair({ state: "retired", releaseEligible: false });
    const orphan = decideOutcome({ ...world, revisions: [] });
    expect(orphan.entries).toEqual({ a: [] });
    expect(orphan.events).toMatchObject([{ reason: "Orphaned" }]);
    const later = {
      ...world,
      revisions: [],
      nowMs: NOW_MS + 600_001,
      releaseManager: { ...world.releaseManager, status: orphan.status },
    };
    expect(decideOutcome(later).entries["local"]).toMatchObject([{ verb: "remove", ref: { name: "shop-production" } }]);
  });

  test("D-84: pods stay for the drain after the last route has left them", () => {
    const clusters = [aCluster("a", { pods: { v1: 4, v2: 4 }, weights: { v1: 100 } })];
    const retiring = pair({ state: "retiring", releaseEligible: false }, { clusters });
    const first = decideOutcome(retiring);
    expect(first.plan?.clusters[0]?.endings).toMatchObject([{ tag: "v2", ending: "keep" }]);
    const later = {
      ...retiring,
      nowMs: NOW_MS + 15_000,
      releaseManager: { ...retiring.releaseManager, status: first.status },
    };
    expect(decideOutcome(later).plan?.clusters[0]?.endings).toMatchObject([
      { tag: "v2", ending: "retire", scaleTo: 0 },
    ]);
  });

  test("a cluster that was never seen gets nothing planned, and nothing counts as arrived there", () => {
    const clusters = [
      aCluster("a", { pods: { v1: 4 }, weights: { v1: 100 } }),
      aCluster("b", { contact: { state: "stale", cause: "it has not been seen yet" } }),
    ];
    const world = aWorld({
      clusters,
      revisions: [aRevision("v1")],
      releaseManager: aReleaseManager([anEntry("v1", { state: "released", currentPercent: 100 })]),
    });
    const { plan, status } = decideOutcome(world);
    expect(plan?.clusters.map(({ cluster }) => cluster)).toEqual(["a"]);
    expect(status.conditions?.filter(({ status: is }) => is === "True")).toEqual([]);
    expect(status.revisions?.[0]?.unrouted ?? []).toEqual([]);
  });

  test("D-85: of two releases with one namespace the younger stalls", () => {
    const other = {
      ...aReleaseManager([], { name: "other", creationTimestamp: ago(100_000) }),
      spec: { app: "shop-a", target: "b", fleet: "main" },
    };
    const world = pair(
      { state: "deployed" },
      { namesakes: [other], releaseManager: aReleaseManager([], { creationTimestamp: ago(10) }) },
    );
    expect(decideOutcome(world).stalled).toMatchObject({ reason: "NamespaceContested" });
    const older = { ...world, releaseManager: aReleaseManager([], { creationTimestamp: ago(1e9) }) };
    expect(decideOutcome(older).stalled).toBeUndefined();
    expect(findCondition(decideOutcome(older).status?.conditions, "NamespaceContested")?.message).toContain(
      "(app shop-a, target b)",
    );
  });
});
