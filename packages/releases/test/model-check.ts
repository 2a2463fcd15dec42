// What one, two or three revisions can do to each other, explored: every order of what people and pods may do, with
// everything forgotten that rules can't tell apart. From every place that is reached a good end must be reachable.
import type { RevisionSpec, RevisionTarget } from "@chaski/api";
import { ModelFleet } from "./model-fleet.ts";
import { BrokenRule } from "./rules.ts";
import { aRevision, NOW_MS } from "./worlds.ts";

export interface Explored {
  readonly places: number;
  readonly states: ReadonlySet<string>;
}

interface Move {
  readonly name: string;
  readonly make: (fleet: ModelFleet) => void;
}

const SLO = { name: "up", enabled: true };

/** Two big steps, so that ramps are short; one of each way to release. */
const WAYS: readonly Partial<RevisionTarget>[] = [
  { canary: { percent: 10, ttl: 30 }, serviceLevelObjectives: [SLO] },
  { externalTest: { enabled: true, started: false, completed: false } },
  { canary: { percent: 10, ttl: 30 }, datadogMonitoring: { enabled: true } },
];

/** Breadth first, each place once; to the depth given, or until nothing new is found. */
export function exploreRevisions(count: number, depth = Infinity): Explored {
  const first = new ModelFleet({ clusters: [{ factor: "1.0", isStandby: false }], startMs: NOW_MS });
  const moves = movesOf(count);
  const seen = new Set<string>();
  const states = new Set<string>();
  const good = new Set<string>();
  let frontier = [first];
  for (let level = 0; level <= depth && frontier.length > 0; level++) {
    const next: ModelFleet[] = [];
    for (const fleet of frontier) {
      const place = placeOf(fleet);
      if (seen.has(place)) continue;
      seen.add(place);
      for (const { state } of fleet.releaseManager.status?.revisions ?? []) states.add(state.current);
      checkWayOut(fleet, `v${count + 1}`, good);
      next.push(...moves.map((move) => after(fleet, move)));
    }
    frontier = next;
  }
  return { places: seen.size, states };
}

function after(fleet: ModelFleet, { make }: Move): ModelFleet {
  const copy = fleet.copy();
  make(copy);
  copy.pass();
  copy.settle();
  return copy;
}

function movesOf(count: number): readonly Move[] {
  const tags = Array.from({ length: count }, (_, index) => `v${index + 1}`);
  return [
    { name: "time passes", make: (fleet) => fleet.advance(60_000) },
    { name: "a long time passes", make: (fleet) => fleet.advance(20 * 60_000) },
    ...tags.flatMap((tag, index): readonly Move[] => [
      { name: `${tag} comes`, make: (fleet) => come(fleet, tag, index) },
      {
        name: `${tag} fails or is good after all`,
        make: (fleet) => change(fleet, tag, (spec) => ({ ...spec, failed: !spec.failed })),
      },
      { name: `${tag} goes`, make: (fleet) => void (fleet.revisions.size > 1 && fleet.revisions.delete(tag)) },
      { name: `the pods of ${tag} break or recover`, make: (fleet) => toggle(fleet, tag) },
      { name: `the test of ${tag} goes on`, make: (fleet) => change(fleet, tag, tested) },
    ]),
  ];
}

function come(fleet: ModelFleet, tag: string, index: number): void {
  if (fleet.revisions.has(tag)) return;
  const release = { scalingStrategy: "linear", linearScaling: { increment: 50, delay: "10s" } };
  const target = { ...WAYS[index % WAYS.length], release };
  fleet.revisions.set(tag, aRevision(tag, { target }));
}

function change(fleet: ModelFleet, tag: string, how: (spec: RevisionSpec) => RevisionSpec): void {
  const revision = fleet.revisions.get(tag);
  if (revision) fleet.revisions.set(tag, { ...revision, spec: how(revision.spec) });
}

function toggle({ clusters }: ModelFleet, tag: string): void {
  for (const { broken } of clusters) if (!broken.delete(tag)) broken.add(tag);
}

/** Pending, started, succeeded, failed, and from the start. */
function tested(spec: RevisionSpec): RevisionSpec {
  const next = (test: NonNullable<RevisionTarget["externalTest"]>): NonNullable<RevisionTarget["externalTest"]> => {
    if (!test.started) return { ...test, started: true };
    if (!test.completed) return { ...test, completed: true, succeeded: true };
    return test.succeeded ? { ...test, succeeded: false } : { enabled: true, started: false, completed: false };
  };
  const targets = spec.targets.map((target) =>
    target.externalTest ? { ...target, externalTest: next(target.externalTest) } : target,
  );
  return { ...spec, targets };
}

/** All that rules can tell apart, without times. */
function placeOf({ releaseManager, revisions, clusters }: ModelFleet): string {
  const entries = (releaseManager.status?.revisions ?? []).map((entry) => [
    entry.tag,
    entry.state.current,
    entry.currentPercent,
    entry.peakPercent,
    entry.releaseEligible,
    entry.canaryStartTimestamp !== undefined,
  ]);
  const specs = [...revisions.values()].map(({ spec }) => [spec.app.tag, spec.failed, spec.targets[0]?.externalTest]);
  const live = clusters.map(({ live: { weights, named, replicaSets }, broken }) => [
    weights,
    named,
    [...replicaSets.values()].map(({ tag, replicas, ready }) => [tag, replicas > 0, ready > 0]),
    [...broken].toSorted(),
  ]);
  return JSON.stringify([entries, specs, live]);
}

const WAY_OUT_PASSES = 80;

/** Everything recovers and one more revision comes: it must be released, or there is a dead end. */
function checkWayOut(fleet: ModelFleet, tag: string, good: Set<string>): void {
  const copy = fleet.copy();
  for (const { broken } of copy.clusters) broken.clear();
  copy.revisions.set(tag, aRevision(tag, { nowMs: copy.nowMs, ageMs: 0 }));
  const way: string[] = [];
  for (let pass = 0; pass < WAY_OUT_PASSES; pass++) {
    const place = placeOf(copy);
    way.push(place);
    if (good.has(place) || copy.state(tag) === "released") {
      for (const passed of way) good.add(passed);
      return;
    }
    copy.pass();
    copy.settle();
    copy.advance(20_000);
  }
  throw new BrokenRule(`a dead end: ${placeOf(fleet)}`);
}
