import type { Clock } from "@chaski/clock";
import { GATE_TEXT_MAX, GATES_MAX, type Gate, verdictKey, withSince } from "../decision/index.ts";

/** Values move all the time; a status that follows each of them would never rest. */
export const GATE_VALUE_INTERVAL_MS = 15_000;

/** Gates as they stand in status: bounded, and each with the time since when its verdict holds. */
export function statusGates(gates: readonly Gate[], before: readonly Gate[], clock: Pick<Clock, "now">): Gate[] {
  return withSince(fitting(gates), before, new Date(clock.now()).toISOString()).map(boundedTexts);
}

/** Whether the same things were checked with the same verdicts, whatever the values. */
export function hasSameVerdicts(a: readonly Gate[], b: readonly Gate[]): boolean {
  return a.length === b.length && a.every((gate, index) => verdictKey(gate) === verdictKey(b[index] ?? gate));
}

/** What passed goes first when there are too many: what still waits answers the question. */
function fitting(gates: readonly Gate[]): readonly Gate[] {
  const excess = gates.length - GATES_MAX;
  if (excess <= 0) return gates;
  const passed = gates.filter((gate) => gate.verdict === "passed");
  const dropped = new Set(passed.slice(Math.max(0, passed.length - excess)));
  return gates.filter((gate) => !dropped.has(gate)).slice(0, GATES_MAX);
}

function boundedTexts(gate: Gate): Gate {
  const entries = Object.entries(gate).filter(([, text]) => text !== undefined);
  return Object.fromEntries(entries.map(([name, text]) => [name, bounded(String(text))])) as unknown as Gate;
}

function bounded(text: string): string {
  return text.length <= GATE_TEXT_MAX ? text : `${text.slice(0, GATE_TEXT_MAX - 1)}…`;
}
