// Since when a gate is as it is: by the status where it tells, else since the gate was first told.
import { formatTimestamp } from "@chaski/kube";
import type { Gate } from "@chaski/runtime/decision";
import { describe, expect, test } from "vitest";
import { pair, pods, v1Released } from "../../test/pair.ts";
import { aCluster, anEntry, aReleaseManager, NOW_MS } from "../../test/worlds.ts";
import { decideOutcome } from "./decide-outcome.ts";
import type { ReleaseWorld } from "./world.ts";

const STEPPED = formatTimestamp(NOW_MS - 120_000);
const NOW = formatTimestamp(NOW_MS);

interface Given {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ready?: number;
  readonly live?: Readonly<Record<string, number>>;
  readonly gates?: readonly Gate[];
  readonly laterMs?: number;
}

/** v2 has 20 % since two minutes, v1 the rest with 40 pods. */
function ramping({ annotations = {}, ready = 30, live = { v1: 80, v2: 20 }, gates = [], laterMs = 0 }: Given) {
  const entries = [
    { ...v1Released, currentPercent: 80, ...pods(40) },
    anEntry("v2", { state: "releasing", currentPercent: 20, lastUpdated: STEPPED, ...pods(ready) }),
  ];
  const world: ReleaseWorld = {
    ...pair(
      { state: "releasing" },
      {
        releaseManager: aReleaseManager(entries, { annotations }, { gates: [...gates] }),
        clusters: [aCluster("a", { pods: { v1: 40, v2: ready }, weights: live })],
      },
    ),
    nowMs: NOW_MS + laterMs,
  };
  return decideOutcome(world).gates;
}

function gate(gates: readonly Gate[], name: string): Partial<Gate> | undefined {
  return gates.find((candidate) => candidate.name === name && candidate.verdict !== "passed");
}

describe("by the status", () => {
  test("capacity is waited for since the last step", () => {
    expect(gate(ramping({ ready: 8 }), "Capacity")).toMatchObject({ since: STEPPED, value: "8", threshold: "15" });
  });

  test("a split is waited for since it was decided", () => {
    const gates = ramping({ live: { v1: 100 } });
    expect(gate(gates, "SplitObserved")).toMatchObject({ since: STEPPED, cluster: "a", value: "v1 100" });
  });

  test("a cluster's own pods are waited for since the split was decided, and their number is told", () => {
    const gates = ramping({ live: { v1: 100 }, ready: 2 });
    expect(gate(gates, "ClusterReady")).toMatchObject({ since: STEPPED, cluster: "a", value: "2", threshold: "8" });
  });
});

describe("by the gate itself", () => {
  const paused = { annotations: { "chaski.dev/paused": "lunch" } };

  test("a pause is told since now when it is first seen, and since then afterwards", () => {
    const gates = ramping(paused);
    expect(gate(gates, "Paused")).toMatchObject({ since: NOW });
    expect(gate(ramping({ ...paused, gates, laterMs: 600_000 }), "Paused")).toMatchObject({ since: NOW });
  });

  test("one that opened and closed again starts anew", () => {
    const opened = ramping({ gates: ramping(paused) });
    expect(gate(ramping({ ...paused, gates: opened, laterMs: 600_000 }), "Paused")?.since).not.toBe(NOW);
  });

  test("no time moves while nothing changes", () => {
    const gates = ramping(paused);
    expect(ramping({ ...paused, gates, laterMs: 5_000 }).map(({ since }) => since)).toEqual(
      gates.map(({ since }) => since),
    );
  });
});
