export type Verdict = "passed" | "waiting" | "failed" | "unknown";

/** One thing that was checked on the way; the ordered list of them answers "why is this waiting". */
export interface Gate {
  /** Stable, PascalCase: `CanaryTime`, `Capacity`. */
  readonly name: string;
  readonly verdict: Verdict;
  /** One sentence for people. */
  readonly message: string;
  /** What the gate is about when an owner has several: a tag, a batch. */
  readonly subject?: string;
  readonly cluster?: string;
  readonly value?: string;
  readonly threshold?: string;
  /** RFC 3339. */
  readonly since?: string;
  readonly unblock?: string;
  /** RFC 3339: the earliest time at which the verdict can change by itself. */
  readonly earliest?: string;
}

/** Each with the time since when its verdict holds: as the gate says, else as it was first told. */
export function withSince(gates: readonly Gate[], before: readonly Gate[], now: string): readonly Gate[] {
  const told = new Map(before.map((gate) => [verdictKey(gate), gate.since]));
  return gates.map((gate) => ({ ...gate, since: gate.since ?? told.get(verdictKey(gate)) ?? now }));
}

/** What was checked, and how it turned out; whatever the values. */
export function verdictKey({ name, subject = "", cluster = "", verdict }: Gate): string {
  return JSON.stringify([name, subject, cluster, verdict]);
}

export const GATES_MAX = 64;
export const GATE_TEXT_MAX = 512;

/** The first gate that is not passed: what the object waits for. */
export function firstClosed(gates: readonly Gate[]): Gate | undefined {
  return gates.find((gate) => gate.verdict !== "passed");
}
