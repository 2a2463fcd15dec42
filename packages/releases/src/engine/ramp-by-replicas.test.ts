// Ramping by the ReplicaSet (§6.9): its tests, by their names there (§6.9.1).
import { formatTimestamp } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { aCluster, anEntry, aReleaseManager, aRevision, aWorld, NOW_MS } from "../../test/worlds.ts";
import { decideOutcome } from "./decide-outcome.ts";
import { fleetOf } from "./fleet.ts";
import { incarnationsOf } from "./incarnation.ts";
import type { ScaleSettings } from "./settings.ts";
import { drivenBase, isReplicaDriven } from "./sizing.ts";
import { defaultFlags, type ReleaseWorld } from "./world.ts";

const flags = { ...defaultFlags, rampMode: "replicaset" as const };
const SLOS = [{ name: "up", enabled: true }];
/** Its delay is not over: nothing moves in this pass. */
const JUST_NOW = formatTimestamp(NOW_MS);
const WORKER = { queueUri: "q", targetMessagesPerWorker: 1, maxDisruption: "" };

interface Case {
  readonly state: string;
  readonly percent?: number;
  readonly live?: number;
  readonly scale?: object;
  readonly failed?: boolean;
  readonly other?: { readonly pods: number; readonly percent: number; readonly peak: number };
}

function aRamp({
  state,
  percent = 0,
  live = 2,
  scale,
  failed = false,
  other = { pods: 10, percent: 100 - percent, peak: 100 },
}: Case): ReleaseWorld {
  const target = {
    scale: scale ?? { min: 4, max: 40, targetCPUUtilizationPercentage: 70 },
    canary: { percent: 20, ttl: 600 },
    serviceLevelObjectives: SLOS,
  };
  return aWorld({
    flags,
    revisions: [aRevision("v1"), aRevision("v2", { target, spec: { failed } })],
    releaseManager: aReleaseManager([
      anEntry("v1", {
        state: "released",
        currentPercent: other.percent,
        peakPercent: other.peak,
        scale: { Current: other.pods, Desired: other.pods, Peak: other.pods },
      }),
      anEntry("v2", {
        state,
        currentPercent: percent,
        lastUpdated: JUST_NOW,
        scale: { Current: live, Desired: live, Peak: live },
      }),
    ]),
    clusters: [
      aCluster("a", {
        pods: { v1: other.pods, v2: live },
        weights: percent > 0 ? { v1: 100 - percent, v2: percent } : { v1: 100 },
      }),
    ],
  });
}

function planOf(world: ReleaseWorld) {
  const outcome = decideOutcome(world);
  return {
    app: outcome.plan?.app.revisions.find(({ tag }) => tag === "v2"),
    cluster: outcome.plan?.clusters[0]?.revisions.find(({ tag }) => tag === "v2"),
    ending: outcome.plan?.clusters[0]?.endings.find(({ tag }) => tag === "v2"),
    state: outcome.status.revisions?.find(({ tag }) => tag === "v2")?.state.current,
  };
}

describe("scale plan: replica-driven by state", () => {
  test.each([
    { state: "canarying", is: true },
    { state: "canaryingdatadog", is: true },
    { state: "releasing", is: true },
    { state: "deploying", is: false },
    { state: "deployed", is: false },
    { state: "pendingrelease", is: false },
    { state: "released", is: false },
  ])("$state: $is", ({ state, is }) => {
    const world = aRamp({ state });
    const v2 = incarnationsOf(world, fleetOf(world)).find(({ tag }) => tag === "v2");
    expect(v2 && isReplicaDriven(v2, "production", "replicaset")).toBe(is);
  });

  test("no autoscaler: no", () => {
    const world = aRamp({ state: "releasing", scale: { min: 4, max: 40 } });
    const v2 = incarnationsOf(world, fleetOf(world)).find(({ tag }) => tag === "v2");
    expect(v2 && isReplicaDriven(v2, "production", "replicaset")).toBe(false);
  });

  test("the Revision's annotation wins over the operator's mode", () => {
    const world = aRamp({ state: "releasing" });
    const v2 = incarnationsOf(world, fleetOf(world)).find(({ tag }) => tag === "v2");
    const revision = aRevision("v2", { annotations: { "ramp-mode.chaski.dev/production": "autoscaler" } });
    expect(v2 && isReplicaDriven({ ...v2, revision }, "production", "replicaset")).toBe(false);
  });
});

test("replica-driven deletes autoscalers", () => {
  const { app, cluster } = planOf(aRamp({ state: "releasing", percent: 20 }));
  expect(app).toMatchObject({ isReplicaDriven: true, autoscaler: { type: "none" } });
  expect(cluster?.bounds).toBeUndefined();
});

test("not replica-driven creates the HPA", () => {
  const { app, cluster } = planOf(aRamp({ state: "released", percent: 50 }));
  expect(app).toMatchObject({ isReplicaDriven: false, autoscaler: { type: "hpa", cpuPercent: 70 } });
  expect(cluster?.bounds).toBeDefined();
});

test("ramping annotation: wanted while replica-driven and not afterwards", () => {
  expect(planOf(aRamp({ state: "releasing", percent: 20 })).app?.isReplicaDriven).toBe(true);
  expect(planOf(aRamp({ state: "released", percent: 20 })).app?.isReplicaDriven).toBe(false);
});

describe("replica-driven updates replicas", () => {
  test.each([
    { name: "live 7, desired 2 → 2", live: 7, pods: 10, scaleTo: 2 },
    { name: "live 2, desired 7 → 7", live: 2, pods: 35, scaleTo: 7 },
  ])("$name", ({ live, pods, scaleTo }) => {
    expect(planOf(aRamp({ state: "canarying", live, other: { pods, percent: 100, peak: 100 } })).cluster?.scaleTo).toBe(
      scaleTo,
    );
  });
});

test("replica-driven updates replicas of a WPA target", () => {
  const scale = { min: 1, max: 40, worker: WORKER };
  expect(
    planOf(aRamp({ state: "canarying", live: 2, scale, other: { pods: 25, percent: 100, peak: 100 } })).cluster
      ?.scaleTo,
  ).toBe(5);
});

test("not replica-driven preserves replicas", () => {
  expect(planOf(aRamp({ state: "released", live: 7, percent: 50 })).cluster?.scaleTo).toBeUndefined();
});

describe("base capacity", () => {
  const settings = (min: number, max: number): ScaleSettings => ({
    min,
    max,
    default: 1,
    autoscaler: "metrics",
    cpuPercent: 70,
    memoryPercent: undefined,
    requestsRateMilli: undefined,
  });
  test.each([
    {
      name: "120 pods at 60 %, peak 100",
      load: { pods: 120, percent: 60, hasFallenFromFull: true },
      min: 10,
      base: 120,
    },
    { name: "60 pods at 60 %, peak 60", load: { pods: 60, percent: 60, hasFallenFromFull: false }, min: 10, base: 100 },
    {
      name: "163 pods at 15 %, own pods do not count",
      load: { pods: 163, percent: 15, hasFallenFromFull: true },
      min: 10,
      base: 163,
    },
    {
      name: "D-26: nothing else serving, min 0",
      load: { pods: 0, percent: 0, hasFallenFromFull: false },
      min: 0,
      base: 320,
    },
  ])("$name → $base", ({ load, min, base }) => {
    expect(drivenBase(settings(min, 320), load)).toBe(base);
  });

  test("D-23: others 120 pods at 100 %, a step of 20 % → 24 pods", () => {
    const scale = { min: 4, max: 400, targetCPUUtilizationPercentage: 70 };
    expect(
      planOf(aRamp({ state: "canarying", scale, other: { pods: 120, percent: 100, peak: 100 } })).cluster?.scaleTo,
    ).toBe(24);
  });

  test("D-24: a base above the maximum is capped", () => {
    const scale = { min: 4, max: 10, targetCPUUtilizationPercentage: 70 };
    expect(
      planOf(aRamp({ state: "canarying", scale, other: { pods: 120, percent: 100, peak: 100 } })).cluster?.scaleTo,
    ).toBe(10);
  });
});

describe("released keeps its HPA", () => {
  test("D-21: 48 pods stay 48, and the range is full", () => {
    const scale = { min: 16, max: 320, targetCPUUtilizationPercentage: 70 };
    const { cluster } = planOf(aRamp({ state: "released", percent: 15, live: 48, scale }));
    expect(cluster).toEqual({ tag: "v2", initialReplicas: expect.any(Number), bounds: { min: 16, max: 320 } });
  });

  test("four clusters, 16..320, at 15 % → 4..80", () => {
    const one = aRamp({
      state: "released",
      percent: 15,
      scale: { min: 16, max: 320, targetCPUUtilizationPercentage: 70 },
    });
    const cluster = one.clusters[0];
    const four = { ...one, clusters: ["a", "b", "c", "d"].map((name) => ({ ...(cluster ?? aCluster(name)), name })) };
    expect(planOf(four).cluster?.bounds).toEqual({ min: 4, max: 80 });
  });
});

describe("failure during the ramp", () => {
  test.each(["canarying", "releasing"])(
    "D-29: from %s: nothing is applied any more, the pods stay until the traffic has left",
    (state) => {
      const { app, ending, state: after } = planOf(aRamp({ state, percent: 20, live: 5, failed: true }));
      expect(after).toBe("failing");
      expect(app).toBeUndefined();
      expect(ending).toMatchObject({ ending: "keep" });
      expect(ending?.scaleTo).toBeUndefined();
    },
  );

  test("the failure lifted again: the autoscaler returns and the replicas are kept", () => {
    const { app, cluster, state } = planOf(aRamp({ state: "failing", live: 5 }));
    expect(state).toBe("deploying");
    expect(app).toMatchObject({ isReplicaDriven: false, autoscaler: { type: "hpa" } });
    expect(cluster?.scaleTo).toBeUndefined();
  });

  test("at 100 % and still releasing the number never falls below what runs", () => {
    const world = aRamp({
      state: "releasing",
      percent: 100,
      live: 120,
      scale: { min: 20, max: 400, targetCPUUtilizationPercentage: 70 },
      other: { pods: 0, percent: 0, peak: 100 },
    });
    expect(planOf({ ...world, revisions: world.revisions.slice(1) }).cluster?.scaleTo ?? 120).toBe(120);
  });
});
