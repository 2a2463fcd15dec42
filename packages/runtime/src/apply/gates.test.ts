import { describe, expect, test } from "vitest";
import { GATE_TEXT_MAX, GATES_MAX, type Gate, type Verdict } from "../decision/index.ts";
import { hasSameVerdicts, statusGates } from "./gates.ts";

const clock = { now: () => Date.UTC(2026, 0, 2) };

function gate(name: string, verdict: Verdict, more: Partial<Gate> = {}): Gate {
  return { name, verdict, message: "why", ...more };
}

describe("gates in status", () => {
  test("say since when their verdict holds: from before, from the decision, or from now", () => {
    const before = [gate("Tide", "waiting", { since: "2026-01-01T00:00:00Z" }), gate("Wind", "passed", { since: "x" })];
    const gates = [gate("Tide", "waiting"), gate("Wind", "failed"), gate("Crew", "passed", { since: "y" })];
    expect(statusGates(gates, before, clock).map(({ since }) => since)).toEqual([
      "2026-01-01T00:00:00Z",
      "2026-01-02T00:00:00.000Z",
      "y",
    ]);
  });

  test("are told apart by subject and cluster", () => {
    const before = [gate("Pods", "waiting", { cluster: "east", since: "x" })];
    expect(statusGates([gate("Pods", "waiting", { cluster: "west" })], before, clock)[0]?.since).not.toBe("x");
  });

  test("are bounded in text", () => {
    const [bounded] = statusGates([gate("Tide", "waiting", { message: "x".repeat(2_000) })], [], clock);
    expect(bounded?.message).toHaveLength(GATE_TEXT_MAX);
  });

  test("are bounded in number: what passed goes first, from the end", () => {
    const passed = Array.from({ length: GATES_MAX }, (_, index) => gate(`P${index}`, "passed"));
    const gates = statusGates([...passed, gate("Last", "waiting")], [], clock);
    expect(gates).toHaveLength(GATES_MAX);
    expect(gates.at(-1)?.name).toBe("Last");
    const waiting = Array.from({ length: 100 }, (_, index) => gate(`W${index}`, "waiting"));
    expect(statusGates(waiting, [], clock).map(({ name }) => name)).toEqual(
      waiting.slice(0, GATES_MAX).map(({ name }) => name),
    );
  });
});

test("verdicts are the same whatever the values", () => {
  const before = [gate("Tide", "waiting", { value: "1" })];
  expect(hasSameVerdicts([gate("Tide", "waiting", { value: "2" })], before)).toBe(true);
  expect(hasSameVerdicts([gate("Tide", "passed", { value: "1" })], before)).toBe(false);
  expect(hasSameVerdicts([], before)).toBe(false);
});
