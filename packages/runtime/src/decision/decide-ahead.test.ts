import { defineKind, type KubeObject, refTo } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { AHEAD_MAX, type Decision, decideAhead, decision, type Gate } from "./index.ts";

interface Boat extends KubeObject {
  readonly status?: { readonly knots: number; readonly gates?: readonly Gate[] };
}

const Boat = defineKind<Boat>({ group: "sea.dev", version: "v1", kind: "Boat", plural: "boats", isNamespaced: true });
const tern: Boat = { apiVersion: "sea.dev/v1", kind: "Boat", metadata: { name: "tern" }, status: { knots: 0 } };

function knotsOf({ status }: Boat): number {
  return status?.knots ?? 0;
}

/** One knot faster with each decision, and never slower. */
function faster(boat: Boat, limit: number): Decision<Boat["status"]> {
  const knots = Math.min(limit, knotsOf(boat) + 1);
  const events = knots > knotsOf(boat) ? [{ type: "Normal" as const, reason: "Faster", message: `${knots}` }] : [];
  return decision({ status: { knots }, events });
}

function ahead(decide: (boat: Boat) => Decision<Boat["status"]>, mayFollow: (boat: Boat) => boolean = () => true) {
  return decideAhead(tern, { decide, mayFollow });
}

describe("deciding ahead", () => {
  test("comes to where the status stays, and tells each step", () => {
    const { status, events } = ahead((boat) => faster(boat, 3));
    expect(status).toEqual({ knots: 3 });
    expect(events.map(({ message }) => message)).toEqual(["1", "2", "3"]);
  });

  test("goes no further than the controller says", () => {
    const { status } = ahead(
      (boat) => faster(boat, 3),
      (boat) => knotsOf(boat) < 1,
    );
    expect(status).toEqual({ knots: 2 });
  });

  test("ends when it does not come to rest", () => {
    const { status } = ahead((boat) => faster(boat, Infinity));
    expect(status).toEqual({ knots: AHEAD_MAX });
  });

  test("shows each decision the gates of the one before, which alone are no reason for another", () => {
    const seen: unknown[] = [];
    const gates: readonly Gate[] = [{ name: "Wind", verdict: "waiting", message: "calm" }];
    ahead((boat) => {
      seen.push(boat.status?.gates);
      return { ...faster(boat, 1), gates };
    });
    expect(seen).toEqual([undefined, gates]);
  });

  const patch = { ref: refTo(Boat, tern), resourceVersion: "1", patch: {} };
  test.each([
    { what: "patches something", parts: { patches: [patch] } },
    { what: "is stalled", parts: { stalled: { reason: "Leak", message: "it sinks" } } },
  ])("goes no further than a decision that $what", ({ parts }) => {
    const { status } = ahead((boat) => ({ ...faster(boat, 3), ...parts }));
    expect(status).toEqual({ knots: 1 });
  });

  test("ends at a decision that leaves the status alone", () => {
    const { status } = ahead((boat) => (knotsOf(boat) < 2 ? faster(boat, 2) : decision({})));
    expect(status).toBeUndefined();
  });
});
