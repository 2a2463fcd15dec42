// Faults planted in the engine, one at a time: the suite must notice each of them.

export interface Mutant {
  readonly name: string;
  /** Below src/engine. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

function mutant(name: string, file: string, find: string, replace: string): Mutant {
  return { name, file, find, replace };
}

export const mutants: readonly Mutant[] = [
  mutant("a step ignores release.max", "strategy.ts", "Math.min(limit, max)", "limit"),
  mutant("geometric steps add", "strategy.ts", "current * strategy.factor", "current + strategy.factor"),
  mutant(
    "division rounds down",
    "replicas.ts",
    "Math.max(1, Math.ceil((Math.min(100, percent) / 100)",
    "Math.max(1, Math.floor((Math.min(100, percent) / 100)",
  ),
  mutant(
    "the smallest number per cluster is one short",
    "replicas.ts",
    "totalOf(middle, factors) >= pods",
    "totalOf(middle, factors) + 1 >= pods",
  ),
  mutant("the threshold is 95 percent", "capacity.ts", "const THRESHOLD = 0.9;", "const THRESHOLD = 0.95;"),
  mutant("own pods count as the others'", "capacity.ts", "entry.tag !== tag && ", ""),
  mutant(
    "the maximum does not cap the need",
    "capacity.ts",
    "max > 0 ? Math.min(need, expectedTotal(max, 100, factors)) : need",
    "need",
  ),
  mutant("capacity is never asked", "capacity.ts", "capacity.ready >= need", "capacity.ready >= 0"),
  mutant("a quarantined cluster holds the ramp", "fleet.ts", " && (isObserved || !isQuarantined)", ""),
  mutant("an unobserved cluster holds nothing", "fleet.ts", "({ isObserved }) => !isObserved", "() => false"),
  mutant("events are worked on everywhere", "fleet.ts", "return isDisabled ? 0 : factor;", "return factor;"),
  mutant("the oldest comes first", "incarnation.ts", "b.gitMs - a.gitMs", "a.gitMs - b.gitMs"),
  mutant("eligibility is frozen from the start", "incarnation.ts", "releaseEligible: settings.release.isEligible,", ""),
  mutant(
    "what is not seen is gone, also where nobody looked",
    "incarnation.ts",
    "if (found.length === 0 && !isCertain) return undefined;",
    "",
  ),
  mutant("a lost status is not rebuilt", "rebuild.ts", "(weights[tag] ?? 0) > 0", "(weights[tag] ?? 0) > 100"),
  mutant(
    "a canary may be the ramping one",
    "collections.ts",
    "!isCanarying(state) && !isCanaried(state)",
    "state !== undefined",
  ),
  mutant(
    "what fails with traffic is forgotten",
    "collections.ts",
    "(isLeaving(state) || state === undefined) && status.currentPercent > 0",
    "false",
  ),
  mutant("pods go before the drain", "draining.ts", "since + drain.drainMs", "since"),
  mutant(
    "a named tag counts as drained",
    "draining.ts",
    "since === undefined || isNamed(cluster, status.tag) ? undefined",
    "since === undefined ? undefined",
  ),
  mutant(
    "the drain clock starts anew in every pass",
    "draining.ts",
    "before.find(({ cluster }) => cluster === name)?.since ?? now",
    "now",
  ),
  mutant("a canary waits beside what only leaves", "facts.ts", "&& !isLeaving(other.state)", ""),
  mutant("a canary does not end", "facts.ts", "endMs === undefined || endMs > world.nowMs", "true"),
  mutant(
    "a first revision canaries alone",
    "facts.ts",
    "isPromoted(world, tag) || !hasRivals(incarnation, incarnations)",
    "isPromoted(world, tag)",
  ),
  mutant("a pause does not hold", "hold.ts", "...pauseGates(holding.world, incarnation.tag),", ""),
  mutant("unknown evidence does not hold", "hold.ts", "...evidenceGates(holding.world, incarnation),", ""),
  mutant("the last split need not have arrived", "hold.ts", "...splitGates(holding, incarnation),", ""),
  mutant("proceed holds and hold proceeds", "hold.ts", 'return policy !== "proceed";', 'return policy === "proceed";'),
  mutant(
    "later ones may grow too",
    "division.ts",
    "const isBehind = first !== undefined && index > first;",
    "const isBehind = false;",
  ),
  mutant("the rest is lost", "division.ts", "share.percent + left", "share.percent"),
  mutant("a failing revision may grow", "division.ts", "&& state !== undefined && !isLeaving(state)", ""),
  mutant(
    "the delay does not count",
    "division.ts",
    "isDelayOver(incarnation) && canRampTo(incarnation, desired)",
    "canRampTo(incarnation, desired)",
  ),
  mutant("a canary takes more than its share", "division.ts", "Math.min(left, settings.canary.percent)", "left"),
  mutant("a taker takes by steps", "division.ts", "if (rollback?.taker?.tag === tag)", "if (false)"),
  mutant("the largest estimate counts", "rollback.ts", "Math.min(...estimates)", "Math.max(...estimates)"),
  mutant(
    "a failed revision may take over",
    "rollback.ts",
    "incarnation.settings && !isFailed(incarnation)",
    "incarnation.settings",
  ),
  mutant(
    "a taker without pods gets traffic",
    "rollback.ts",
    "if (ready === 0) return current;",
    "if (ready === 0) return limit;",
  ),
  mutant(
    "a taker asks for too little",
    "rollback.ts",
    "neededPods(scale, base, 100, factors)",
    "neededPods(scale, base, 50, factors)",
  ),
  mutant(
    "a cluster takes a split without pods",
    "cluster-split.ts",
    "if (waiting.length === 0) return",
    "if (waiting.length >= 0) return",
  ),
  mutant(
    "one pod carries everything",
    "cluster-split.ts",
    "Math.max(1, Math.min(neededOn(cluster, incarnation, percent, splitting), requested))",
    "1",
  ),
  mutant(
    "a waiting revision with traffic loses its pods",
    "sizing.ts",
    "isParked(incarnation.state) && percentOf(incarnation) === 0 && isDrainedOn(incarnation, cluster, drain)",
    "isParked(incarnation.state)",
  ),
  mutant(
    "a running ReplicaSet is resized",
    "sizing.ts",
    "requested === 0 || live === 0 || (mayRaise && requested > live)",
    "true",
  ),
  mutant(
    "a released revision ramps by replicas",
    "sizing.ts",
    'isCanarying(state) || state === "releasing";\n  return wanted',
    'isCanarying(state) || state === "releasing" || state === "released";\n  return wanted',
  ),
  mutant(
    "the ramp has no cap",
    "sizing.ts",
    "scaled(Math.min(wanted, divide(scale.max, 100, liveClusters)))",
    "scaled(wanted)",
  ),
  mutant(
    "a lagging route's pods are taken",
    "sizing.ts",
    "const percent = Math.max(live, sharePercent(incarnation, rampingTag));",
    "const percent = sharePercent(incarnation, rampingTag);",
  ),
  mutant("four retired ones are kept", "garbage.ts", "const KEPT_RETIRED = 3;", "const KEPT_RETIRED = 4;"),
  mutant("the oldest is spared", "garbage.ts", "sorted[0]?.tag", "sorted.at(-1)?.tag"),
  mutant(
    "a holiday's eve is a day as any other",
    "schedule/calendar.ts",
    "weekday === FRIDAY || isHoliday(calendar, dayAfter(day))",
    "weekday === FRIDAY",
  ),
  mutant("freezes hold nothing", "schedule/calendar.ts", "!isFrozen(calendar, atMs) && permitsIn", "permitsIn"),
  mutant(
    "subsets go at once",
    "plan-cluster.ts",
    "...(route?.named ?? []), ...Object.keys(liveWeights(cluster)), ...draining",
    "",
  ),
  mutant(
    "what drains is retired",
    "plan-cluster.ts",
    "if (!isDrainedOn(incarnation, cluster, sizing.drain)) return",
    "if (false) return",
  ),
  mutant(
    "a retired one waits for nothing",
    "transition.ts",
    "asTaker(before, around), around, { isTaker: true }",
    "before, around, {}",
  ),
  mutant(
    "released falls back by its peak",
    "state-table.ts",
    "released: { rules: [noRevision, markedFailed, ineligible] }",
    'released: { rules: [noRevision, markedFailed, ineligible, when((facts) => !facts.isFullyReleased).goTo("releasing", "")] }',
  ),
  mutant(
    "a deleted revision is forgotten with its pods",
    "state-table.ts",
    "when((facts) => facts.isGone).goTo",
    "when(() => true).goTo",
  ),
  mutant("the status is new in every pass", "report.ts", "isUnchanged ? lastUpdated : now", "now"),
  mutant(
    "a gate forgets since when it waits",
    "decide-outcome.ts",
    "const before = world.releaseManager.status?.gates ?? [];",
    "const before: never[] = [];",
  ),
  mutant("a split is as old as its oldest part", "hold.ts", ".at(-1);", ".at(0);"),
  mutant("what is ignored counts", "judges.ts", "spec.ignoreSLOs === true", "false"),
];
