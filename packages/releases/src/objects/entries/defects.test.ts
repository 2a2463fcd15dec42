// Defects of §15 that show only when a decision has become objects.
import { defaultTarget, releaseKeys } from "@chaski/api";
import type { Entry } from "@chaski/runtime/decision";
import { describe, expect, test } from "vitest";
import { pair, percentOf, pods, v1Released } from "../../../test/pair.ts";
import { aCluster, anEntry, aReleaseManager, aRevision, aTarget, aWorld } from "../../../test/worlds.ts";
import { decideOutcome } from "../../engine/decide-outcome.ts";
import { decideRelease } from "../../engine/decide-release.ts";
import { defaultFlags, type ReleaseWorld } from "../../engine/world.ts";

type Applied = Extract<Entry, { readonly verb: "apply" }>;

function appliedOn(world: ReleaseWorld, cluster: string, kind: string): readonly Applied[] {
  const entries = decideRelease(world).desired.find((desired) => desired.cluster === cluster)?.entries ?? [];
  return entries.filter((entry): entry is Applied => entry.verb === "apply" && entry.ref.kind.kind === kind);
}

const ramping = (target: Parameters<typeof aTarget>[0] = {}): ReleaseWorld => ({
  ...pair({ state: "releasing", currentPercent: 20, ...pods(4) }, { revision: { target } }),
  releaseManager: aReleaseManager([
    { ...v1Released, currentPercent: 80 },
    anEntry("v2", { state: "releasing", currentPercent: 20, ...pods(4) }),
  ]),
  clusters: [aCluster("a", { pods: { v1: 4, v2: 4 }, weights: { v1: 80, v2: 20 } })],
  flags: { ...defaultFlags, rampMode: "replicaset" },
});

test("D-08: an object of a kind that a release never writes is kept out of the decision, and nothing else is", () => {
  const foreign = { apiVersion: "example.invalid/v1", kind: "Strange", metadata: { name: "x", namespace: "y" } };
  const world = pair({ state: "deployed" }, { clusters: [aCluster("a", { pods: { v1: 4 }, owned: [foreign] })] });
  const { desired, stalled } = decideRelease(world);
  expect(stalled).toBeUndefined();
  expect(desired.flatMap(({ entries }) => entries).filter(({ ref }) => ref.name === "x")).toEqual([]);
});

test("D-11: what others carry is read from one snapshot, the status as it was saved", () => {
  const seen = ramping();
  const lagging = { ...seen, clusters: [aCluster("a", { pods: { v1: 1, v2: 4 }, weights: { v1: 80, v2: 20 } })] };
  expect(percentOf(decideOutcome(lagging), "v2")).toBe(percentOf(decideOutcome(seen), "v2"));
});

test("D-17: alert rules and objectives are on every cluster of the fleet", () => {
  const objective = { name: "up", enabled: true, serviceLevelIndicator: { totalQuery: "a", errorQuery: "b" } };
  const revision = aRevision("v1", { target: { serviceLevelObjectives: [objective] } });
  const world = aWorld({
    revisions: [revision],
    releaseManager: aReleaseManager([v1Released]),
    clusters: ["a", "b"].map((name) => aCluster(name, { pods: { v1: 4 }, weights: { v1: 100 } })),
  });
  for (const cluster of ["a", "b"]) {
    expect(appliedOn(world, cluster, "PrometheusRule").map(({ ref }) => ref.name)).toEqual(["shop-slo"]);
    expect(appliedOn(world, cluster, "PrometheusServiceLevel")).toHaveLength(1);
  }
});

describe("D-22: scale defaults", () => {
  test.each([
    { scale: { min: 16, max: 96 }, is: 16 },
    { scale: { min: 0, max: 96 }, is: 1 },
    { scale: { min: 16, max: 96, default: 48 }, is: 48 },
    { scale: { max: 96 }, is: 1 },
  ])("$scale → $is", ({ scale, is }) => {
    expect(defaultTarget(aTarget({ scale })).scale.default).toBe(is);
  });
});

test("D-25: a worker's ReplicaSet is sized while it ramps by it", () => {
  const worker = { queueUri: "q", targetMessagesPerWorker: 1, maxDisruption: "1" };
  const world = ramping({ scale: { min: 4, max: 40, worker } });
  const grown = { ...world, clusters: [aCluster("a", { pods: { v1: 40, v2: 2 }, weights: { v1: 80, v2: 20 } })] };
  const saved = [
    { ...v1Released, currentPercent: 80, ...pods(40) },
    anEntry("v2", { state: "releasing", currentPercent: 20, ...pods(2) }),
  ];
  const { plan } = decideOutcome({ ...grown, releaseManager: aReleaseManager(saved) });
  expect(plan?.clusters[0]?.revisions.find(({ tag }) => tag === "v2")?.scaleTo).toBeGreaterThan(2);
});

describe("D-27, D-28: the ramping annotation follows the same answer as the autoscaler", () => {
  const key = releaseKeys.annotations.ramping;
  test.each([
    { mode: "replicaset" as const, isRamping: true },
    { mode: "autoscaler" as const, isRamping: false },
  ])("$mode: $isRamping", ({ mode, isRamping }) => {
    const world = { ...ramping(), flags: { ...defaultFlags, rampMode: mode } };
    const replicaSet = appliedOn(world, "a", "ReplicaSet").find(({ ref }) => ref.name === "v2")?.object;
    const autoscalers = appliedOn(world, "a", "HorizontalPodAutoscaler").filter(({ ref }) => ref.name === "v2");
    expect(replicaSet?.metadata.annotations?.[key]).toBe(isRamping ? "true" : undefined);
    expect(autoscalers).toHaveLength(isRamping ? 0 : 1);
  });

  test("only our own keys are applied, so that foreign ones survive", () => {
    const replicaSet = appliedOn(ramping(), "a", "ReplicaSet").find(({ ref }) => ref.name === "v2")?.object;
    expect(Object.keys(replicaSet?.metadata.annotations ?? {}).toSorted()).toEqual(
      [releaseKeys.annotations.autoscaler, key].toSorted(),
    );
  });
});

test("D-46: of a namespace only our own labels are applied, and no annotations", () => {
  const [namespace] = appliedOn(ramping(), "a", "Namespace");
  const { ownerName, ownerType } = releaseKeys.labels;
  expect(Object.keys(namespace?.object.metadata.labels ?? {}).toSorted()).toEqual(
    ["istio-injection", ownerName, ownerType].toSorted(),
  );
  expect(namespace?.object.metadata.annotations).toBeUndefined();
});

test("D-49: a sidecar container gets the app's env, as it always did", () => {
  const env = [{ name: "LOG", value: "debug" }];
  const sidecars = [{ name: "proxy", image: "example/proxy", env: [{ name: "OWN", value: "1" }] }];
  const world = aWorld({
    revisions: [aRevision("v1", { target: { env, sidecars } })],
    releaseManager: aReleaseManager([anEntry("v1", { state: "deploying" })]),
    clusters: [aCluster("a")],
  });
  const [replicaSet] = appliedOn(world, "a", "ReplicaSet");
  expect(replicaSet?.initial).toMatchObject({ spec: { template: { spec: { containers: [{ env }, { env }] } } } });
});

test("D-66: a judge speaks about an app's tag, whatever cluster it saw it on", () => {
  const alerts = ["burning"];
  const world = pair({ state: "canarying" }, { evidence: { v2: [{ judge: "prometheus", verdict: "fail", alerts }] } });
  const entry = decideOutcome(world).status.revisions?.find(({ tag }) => tag === "v2");
  expect(entry?.triggeredAlerts).toEqual(alerts);
});

const serving = (cluster: Parameters<typeof aCluster>[1] = {}): ReleaseWorld =>
  aWorld({
    revisions: [aRevision("v1")],
    releaseManager: aReleaseManager([v1Released]),
    clusters: [aCluster("a", { pods: { v1: 4 }, weights: { v1: 100 }, ...cluster })],
  });

test("D-54: where the Gateway API is not served nothing of it is written or removed, and nothing waits", () => {
  const world = serving();
  const served = (kind: string): boolean => !kind.startsWith("gateways");
  const clusters = world.clusters.map((cluster) => ({ ...cluster, served: cluster.served.filter(served) }));
  const { desired, gates } = decideRelease({ ...world, clusters });
  expect(desired.flatMap(({ entries }) => entries).filter(({ ref }) => ref.kind.kind === "Gateway")).toEqual([]);
  expect(gates.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
});

test("D-57: the route does not wait for an alert rule to be removed", () => {
  const rule = {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PrometheusRule",
    metadata: { name: "shop", namespace: "shop-production" },
  };
  const world = serving({ owned: [rule] });
  const [route] = appliedOn(world, "a", "VirtualService");
  const entries = decideRelease(world).desired.flatMap((desired) => desired.entries);
  expect(entries.some(({ verb, ref }) => verb === "remove" && ref.kind.kind === "PrometheusRule")).toBe(true);
  expect(route?.after?.map(({ kind }) => kind.kind)).not.toContain("PrometheusRule");
});

test("D-70: what can't be decided for one revision is not lost for the others", () => {
  const odd = { ...anEntry("v1", { state: "released", currentPercent: 100 }), currentPercent: Number.NaN };
  const world = {
    ...serving(),
    revisions: [aRevision("v1"), aRevision("v2")],
    releaseManager: aReleaseManager([odd, anEntry("v2", { state: "created" })]),
  };
  expect(decideOutcome(world).status.revisions?.find(({ tag }) => tag === "v2")?.state.current).toBe("deploying");
});

test("D-79: the target's pod fields stay flat", () => {
  const env = [{ name: "LOG", value: "debug" }];
  const resources = { requests: { cpu: "100m" } };
  const world = { ...serving(), revisions: [aRevision("v1", { target: { env, resources } })] };
  const [replicaSet] = appliedOn(world, "a", "ReplicaSet");
  expect(replicaSet?.initial).toMatchObject({ spec: { template: { spec: { containers: [{ env, resources }] } } } });
});
