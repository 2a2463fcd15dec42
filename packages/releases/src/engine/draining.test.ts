import type { IncarnationStatus } from "@chaski/api";
import { describe, expect, test } from "vitest";
import { drainedAtMs } from "./draining.ts";
import type { FleetCluster } from "./fleet.ts";

const SINCE = "2026-03-04T18:00:00Z";
const drain = { nowMs: Date.parse(SINCE) + 60_000, drainMs: 15_000, hasRoutes: true };
const status = { tag: "v1", unrouted: [{ cluster: "west", since: SINCE }] } as unknown as IncarnationStatus;

function cluster(named: readonly string[], isKnown = true): FleetCluster {
  return { name: "west", isKnown, world: { route: { weights: {}, named } } } as unknown as FleetCluster;
}

describe("when pods may go (D-84)", () => {
  test.each([
    ["no route has named the tag for a while: after the drain", cluster(["v2"]), Date.parse(SINCE) + 15_000],
    ["a route names the tag again: not yet", cluster(["v1"]), undefined],
    ["the cluster was never seen: not yet", cluster([], false), undefined],
  ])("%s", (_name, on, at) => {
    expect(drainedAtMs(status, on, drain)).toBe(at);
  });

  test("without routes nothing drains", () => {
    expect(drainedAtMs(status, cluster(["v1"]), { ...drain, hasRoutes: false })).toBe(drain.nowMs);
  });
});
