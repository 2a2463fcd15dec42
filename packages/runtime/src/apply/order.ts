import type { Entry, EntryResult } from "../decision/index.ts";
import { isNamespace, nameOf } from "./ref-name.ts";
import { failed } from "./site.ts";

/** How many entries of one owner are in flight on one cluster. */
const CONCURRENCY_MAX = 8;

/** Never rejects. */
export type EntryRun = (entry: Entry) => Promise<EntryResult>;

interface Step {
  readonly entry: Entry;
  readonly priority: number;
  readonly after: readonly Entry[];
}

/**
 * Runs entries in their order, those of lower priority value first. None waits for another unless it says so or is about
 * the same object; what comes after a failure is not tried. Undefined when `isSuperseded` ended it early.
 */
export async function runInOrder(
  entries: readonly Entry[],
  run: EntryRun,
  isSuperseded: () => boolean,
): Promise<readonly EntryResult[] | undefined> {
  const results = new Map<Entry, EntryResult>();
  const running = new Map<Step, Promise<void>>();
  const waiting = stepsOf(entries);

  while (waiting.length > 0 || running.size > 0) {
    if (!isSuperseded()) startAll();
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  if (isSuperseded()) return undefined;
  return entries.map((entry) => results.get(entry) ?? failed(entry.ref, "Cycle", "it waits for what waits for it"));

  function startAll(): void {
    for (let step = nextStep(); step && running.size < CONCURRENCY_MAX; step = nextStep()) start(step);
  }

  function nextStep(): Step | undefined {
    const step = waiting.find(({ after }) => after.every((entry) => results.has(entry)));
    return step && [...running.keys()].every(({ priority }) => priority >= step.priority) ? step : undefined;
  }

  function start(step: Step): void {
    waiting.splice(waiting.indexOf(step), 1);
    const blocker = step.after.find((entry) => !letsOthersFollow(results.get(entry)));
    if (blocker) results.set(step.entry, { ref: step.entry.ref, outcome: "blocked", by: blocker.ref });
    else running.set(step, finish(step));
  }

  async function finish(step: Step): Promise<void> {
    results.set(step.entry, await run(step.entry));
    running.delete(step);
  }
}

/** What the decision does not speak of was done before, and is not waited for. */
function stepsOf(entries: readonly Entry[]): Step[] {
  const byName = Map.groupBy(entries, ({ ref }) => nameOf(ref));
  const steps = entries.map((entry, index) => {
    const named = entry.verb === "keep" ? [] : (entry.after ?? []).flatMap((ref) => byName.get(nameOf(ref)) ?? []);
    const earlier = (byName.get(nameOf(entry.ref)) ?? []).filter((other) => entries.indexOf(other) < index);
    return { entry, priority: entry.verb === "apply" ? (entry.priority ?? 0) : 0, after: [...named, ...earlier] };
  });
  return steps.toSorted((a, b) => a.priority - b.priority);
}

/** A Namespace is a place: that it is another's, or left alone, keeps nobody from living there. */
function letsOthersFollow(result: EntryResult | undefined): boolean {
  switch (result?.outcome) {
    case "failed":
    case "blocked":
      return false;
    case "foreign":
      return isNamespace(result.ref);
    default:
      return true;
  }
}
