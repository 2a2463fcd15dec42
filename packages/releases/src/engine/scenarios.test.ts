// The acceptance scenarios of the specification (§16) that are about deciding, by their numbers there.
import { formatTimestamp } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { aCluster, anEntry, aReleaseManager, aRevision, aWorld, NOW_MS } from "../../test/worlds.ts";
import { decideOutcome } from "./decide-outcome.ts";
import { divideTraffic } from "./division.ts";
import type { Fleet } from "./fleet.ts";
import { fleetOf } from "./fleet.ts";
import { type Candidate, garbage } from "./garbage.ts";
import { type Incarnation, incarnationsOf, savedEntries, withStatus } from "./incarnation.ts";
import { autoscalerPlan } from "./plan-app.ts";
import type { TargetSettings } from "./settings.ts";
import { boundsOn, proactiveMinimum, sizeOn, type Sizing, targetScale } from "./sizing.ts";
import { defaultFlags, type ReleaseWorld } from "./world.ts";

interface Seat {
  readonly state: string;
  readonly percent: number;
}

const SLOS = [{ name: "up", enabled: true }];

/** Newest first, as the scenarios list them; pods never limit. */
function seats(list: readonly Seat[], target: object = {}): readonly Incarnation[] {
  const tags = list.map((_, index) => `v${9 - index}`);
  const given = {
    release: { linearScaling: { increment: 20 } },
    canary: { percent: 10, ttl: 60 },
    serviceLevelObjectives: SLOS,
    ...target,
  };
  const world = aWorld({
    revisions: tags.map((tag) => aRevision(tag, { target: given })),
    releaseManager: aReleaseManager(
      list.map(({ state, percent }, index) => anEntry(tags[index] ?? "", { state, currentPercent: percent })),
    ),
    clusters: [aCluster("a", { pods: Object.fromEntries(tags.map((tag) => [tag, 50])) })],
  });
  return incarnationsOf(world, fleetOf(world));
}

function nextPercents(
  incarnations: readonly Incarnation[],
  rampingTag: string | undefined,
  canRampTo = true,
): readonly Incarnation[] {
  const shares = divideTraffic({
    incarnations,
    rampingTag,
    rollback: undefined,
    isHeld: () => false,
    isDelayOver: () => true,
    canRampTo: () => canRampTo,
    takeover: (taker) => taker.status.currentPercent,
  });
  return incarnations.map((incarnation) => {
    const share = shares.find((candidate) => candidate.incarnation.tag === incarnation.tag);
    const eligible = share?.isOutrun ? { releaseEligible: false } : {};
    return withStatus(incarnation, { currentPercent: share?.percent ?? 0, ...eligible });
  });
}

function percents(incarnations: readonly Incarnation[]): readonly number[] {
  return incarnations.map(({ status }) => status.currentPercent);
}

describe("scenario 5: strategies, beside one that serves", () => {
  const linear = { release: { scalingStrategy: "linear", linearScaling: { increment: 5 } } };
  const geometric = { release: { scalingStrategy: "geometric", geometricScaling: { start: 5, factor: 2 } } };

  test.each([
    { name: "linear", target: linear, from: 50, isOpen: true, to: 55 },
    { name: "linear", target: linear, from: 50, isOpen: false, to: 50 },
    { name: "geometric", target: geometric, from: 25, isOpen: true, to: 50 },
    { name: "geometric", target: geometric, from: 50, isOpen: false, to: 50 },
  ])("$name from $from, gate open: $isOpen → $to", ({ target, from, isOpen, to }) => {
    const both = [
      { state: "releasing", percent: from },
      { state: "released", percent: 100 - from },
    ];
    const [newer, older] = seats(both, target);
    const pair = newer && older ? [newer, older] : [];
    expect(percents(nextPercents(pair, newer?.tag, isOpen))).toEqual([to, 100 - to]);
  });

  test.each([
    { name: "linear", target: linear },
    { name: "geometric", target: geometric },
  ])("$name from 0 with peak 99 → 5: what it had before does not count", ({ target }) => {
    const both = [
      { state: "releasing", percent: 0 },
      { state: "released", percent: 100 },
    ];
    const pair = seats(both, target).map((one) =>
      withStatus(one, { peakPercent: Math.max(99, one.status.peakPercent) }),
    );
    expect(percents(nextPercents(pair, pair[0]?.tag))).toEqual([5, 95]);
  });
});

describe("scenarios 6 and 7: traffic", () => {
  test.each([
    {
      name: "A",
      start: [
        { state: "canarying", percent: 10 },
        { state: "canarying", percent: 10 },
        { state: "releasing", percent: 10 },
        { state: "releasing", percent: 10 },
        { state: "released", percent: 40 },
      ],
      ramping: 2,
      passes: [
        [10, 10, 30, 10, 40],
        [10, 10, 50, 10, 20],
        [10, 10, 70, 10, 0],
        [10, 10, 80, 0, 0],
        [10, 10, 80, 0, 0],
      ],
    },
    {
      name: "B",
      start: [
        { state: "canarying", percent: 10 },
        { state: "releasing", percent: 10 },
        { state: "releasing", percent: 50 },
        { state: "released", percent: 30 },
      ],
      ramping: 1,
      passes: [
        [10, 30, 50, 10],
        [10, 50, 40, 0],
        [10, 70, 20, 0],
        [10, 90, 0, 0],
        [10, 90, 0, 0],
      ],
    },
  ])("traffic $name", ({ start, ramping, passes }) => {
    let incarnations = seats(start);
    const rampingTag = incarnations[ramping]?.tag;
    for (const expected of passes) {
      incarnations = nextPercents(incarnations, rampingTag);
      expect(percents(incarnations)).toEqual(expected);
    }
    const outrun = incarnations.filter(({ status }) => status.currentPercent === 0);
    expect(outrun.every(({ status }) => !status.releaseEligible)).toBe(true);
  });
});

describe("scenario 8: edges", () => {
  test("only a releasing revision, with too few pods, gets everything", () => {
    const only = seats([{ state: "releasing", percent: 0 }]);
    expect(percents(nextPercents(only, only[0]?.tag, false))).toEqual([100]);
  });

  test("only a canarying revision gets everything", () => {
    expect(percents(nextPercents(seats([{ state: "canarying", percent: 0 }]), undefined))).toEqual([100]);
  });

  test("a canary takes its share in steps", () => {
    const target = { release: { linearScaling: { increment: 5 } }, scale: { min: 10, max: 40 } };
    let pair = seats(
      [
        { state: "canarying", percent: 0 },
        { state: "released", percent: 100 },
      ],
      target,
    );
    const seen: (readonly number[])[] = [];
    for (let pass = 0; pass < 3; pass++) {
      pair = nextPercents(pair, pair[1]?.tag);
      seen.push(percents(pair));
    }
    expect(seen).toEqual([
      [5, 95],
      [10, 90],
      [10, 90],
    ]);
  });
});

type Sized = Incarnation & { readonly settings: TargetSettings };

const NOBODY = { percent: 0, pods: 0, peak: 0 };

interface SizingCase {
  readonly state: string;
  readonly percent: number;
  readonly other?: { readonly percent: number; readonly pods: number; readonly peak: number };
  readonly target?: object;
  readonly factors?: readonly string[];
}

function sized({ state, percent, other = NOBODY, target = {}, factors = ["1.0"] }: SizingCase): {
  world: ReleaseWorld;
  fleet: Fleet;
  incarnation: Sized;
  sizing: Sizing;
} {
  const world = aWorld({
    revisions: [aRevision("v2", { target }), aRevision("v1")],
    releaseManager: aReleaseManager([
      anEntry("v1", {
        state: "released",
        currentPercent: other.percent,
        peakPercent: other.peak,
        scale: { Current: other.pods, Desired: 0, Peak: 0 },
      }),
      anEntry("v2", { state, currentPercent: percent }),
    ]),
    clusters: factors.map((factor, index) =>
      aCluster(`c${index}`, { pods: { v2: 4 }, spec: { scalingFactorString: factor } }),
    ),
  });
  const fleet = fleetOf(world);
  const incarnation = incarnationsOf(world, fleet).find(({ tag }) => tag === "v2") as Sized;
  const drain = { nowMs: NOW_MS, drainMs: 15_000, hasRoutes: true };
  const sizing = {
    fleet,
    flags: world.flags,
    target: "production",
    drain,
    saved: savedEntries(world),
    rampingTag: "v2",
    takerTag: undefined,
  };
  return { world, fleet, incarnation, sizing };
}

const FOUR = ["1.0", "1.0", "1.0", "1.0"];
const ELSEWHERE = { percent: 90, pods: 36, peak: 90 };

describe("scenario 11: proactive minimum", () => {
  const scale = (max: number, more: object = { targetRequestsRate: "5" }): object => ({
    scale: { min: 1, max, ...more },
    release: { linearScaling: { increment: 20 } },
  });
  test.each([
    { name: "releasing at 10 %, max 25", state: "releasing", percent: 10, target: scale(25), expected: 3 },
    { name: "max 1", state: "releasing", percent: 10, target: scale(1), expected: 1 },
    { name: "released", state: "released", percent: 10, target: scale(25), expected: 0 },
    { name: "canarying", state: "canarying", percent: 10, target: scale(25), expected: 0 },
    { name: "no autoscaler", state: "releasing", percent: 10, target: scale(25, {}), expected: 0 },
    {
      name: "worker",
      state: "releasing",
      percent: 10,
      target: scale(25, { worker: { queueUri: "q", targetMessagesPerWorker: 1, maxDisruption: "" } }),
      expected: 0,
    },
    { name: "at 0 %", state: "releasing", percent: 0, target: scale(25), expected: 0 },
  ])("$name → $expected per cluster", ({ state, percent, target, expected }) => {
    const { incarnation, sizing } = sized({ state, percent, target, other: ELSEWHERE, factors: FOUR });
    expect(proactiveMinimum(incarnation, sizing)).toBe(expected);
  });
});

describe("scenario 12: target scale", () => {
  const target = {
    release: { linearScaling: { increment: 10 } },
    scale: { min: 1, max: 10, targetCPUUtilizationPercentage: 70, targetRequestsRate: "5" },
  };
  test.each([
    { percent: 0, k: 1 },
    { percent: 10, k: 0.5 },
    { percent: 90, k: 0.9 },
    { percent: 100, k: 1 },
  ])("at $percent %: $k", ({ percent, k }) => {
    expect(targetScale(sized({ state: "releasing", percent, target }).incarnation, "v2")).toBe(k);
  });

  test("D-04: CPU 70 at 10 % → 35 and rate 5 → 2500m, as often as one asks", () => {
    const { incarnation } = sized({ state: "releasing", percent: 10, target });
    const plan = () => autoscalerPlan(incarnation.settings, targetScale(incarnation, "v2"), defaultFlags);
    expect(plan()).toEqual({
      type: "hpa",
      cpuPercent: 35,
      requestsRateMilli: 2500,
      requestsRateMetric: "istio_requests_rate",
    });
    expect(plan()).toEqual(plan());
    expect(incarnation.settings.target.scale.targetCPUUtilizationPercentage).toBe(70);
  });

  test("D-77: behind a canary the released one keeps its target", () => {
    expect(targetScale(sized({ state: "released", percent: 90, target }).incarnation, "v2")).toBe(1);
  });
});

test("scenario 13: two unequal clusters", () => {
  const target = {
    scale: { min: 8, max: 40, targetCPUUtilizationPercentage: 70 },
    release: { scalingStrategy: "geometric" },
  };
  const { incarnation, sizing, fleet } = sized({
    state: "releasing",
    percent: 10,
    target,
    other: { percent: 90, pods: 40, peak: 100 },
    factors: ["1.0", "0.5"],
  });
  expect(fleet.clusters.map((cluster) => sizeOn(cluster, incarnation, sizing).bounds)).toEqual([
    { min: 4, max: 4 },
    { min: 2, max: 2 },
  ]);
});

test("scenario 4: the factor of a cluster that says nothing is 1.0", () => {
  const [cluster] = fleetOf(aWorld({ revisions: [], clusters: [aCluster("a")] })).clusters;
  expect(cluster?.factor).toBe(1);
});

describe("scenarios 14 and 15: replicas", () => {
  const scale = { min: 2, max: 10, default: 2, targetCPUUtilizationPercentage: 50 };
  const worker = { queueUri: "q", targetMessagesPerWorker: 1, maxDisruption: "1" };
  interface Case {
    readonly live?: number;
    readonly factor?: string;
    readonly state?: string;
    readonly more?: object;
  }
  const size = ({ live, factor = "1.0", state = "released", more = {} }: Case) => {
    const unrouted = [{ cluster: "a", since: formatTimestamp(NOW_MS - 60_000) }];
    const entry = anEntry("v1", { state, currentPercent: state === "released" ? 100 : 0, unrouted });
    const world = aWorld({
      revisions: [aRevision("v1", { target: { scale: { ...scale, ...more } } })],
      releaseManager: aReleaseManager([entry], { annotations: { "chaski.dev/paused": "lunch" } }),
      clusters: [
        aCluster("a", { pods: live === undefined ? {} : { v1: live }, spec: { scalingFactorString: factor } }),
      ],
    });
    return decideOutcome(world).plan?.clusters[0]?.revisions[0];
  };

  test("14: of 2 replicas factor 0.5 makes 1", () => {
    expect(size({ factor: "0.5" })?.initialReplicas).toBe(1);
  });

  test.each([
    { what: "live 7, desired 2 stay 7", given: { live: 7 }, scaleTo: undefined },
    { what: "live 0, desired 2 at factor 0.5 become 1", given: { live: 0, factor: "0.5" }, scaleTo: 1 },
    { what: "live 20, desired 0 become 0", given: { live: 20, state: "pendingrelease" }, scaleTo: 0 },
    { what: "a worker's 7 stay", given: { live: 7, more: { worker } }, scaleTo: undefined },
  ])("15: $what", ({ given, scaleTo }) => {
    expect(size(given)?.scaleTo).toBe(scaleTo);
  });
});

test("scenario 16: a minimum above the maximum raises the maximum", () => {
  const { incarnation, sizing, fleet } = sized({
    state: "released",
    percent: 100,
    target: { scale: { min: 6, max: 3, targetCPUUtilizationPercentage: 30 } },
  });
  const cluster = fleet.clusters[0];
  expect(cluster && boundsOn(cluster, incarnation, { ...sizing, rampingTag: undefined })).toEqual({ min: 6, max: 6 });
});

describe("scenario 24: garbage", () => {
  const year = (git: number, state: Candidate["state"]): Candidate => ({
    tag: String(git),
    state,
    gitMs: Date.UTC(git, 0, 1),
    ttlMs: 3_600_000,
  });

  test("of five retired ones the two oldest", () => {
    const retired = [2000, 2001, 2002, 2003, 2004].map((git) => year(git, "retired"));
    expect(garbage(retired, NOW_MS)).toEqual(["2001", "2000"]);
  });

  test("what failed goes, what serves or waits stays", () => {
    const mixed = [
      year(2000, "retired"),
      year(2008, "releasing"),
      year(2009, "released"),
      year(2010, "pendingrelease"),
      year(2011, "failed"),
      year(2012, "deployed"),
    ];
    expect(garbage(mixed, NOW_MS)).toEqual(["2011"]);
  });

  test.each(["created", "deployed", "releasing"] as const)("a single %s one stays", (state) => {
    expect(garbage([year(2000, state)], NOW_MS)).toEqual([]);
  });

  test("D-65: when everything is garbage the newest is spared, and nothing comes of nothing", () => {
    expect(garbage([year(2001, "failed"), year(2002, "failed")], NOW_MS)).toEqual(["2001"]);
    expect(garbage([], NOW_MS)).toEqual([]);
  });
});
