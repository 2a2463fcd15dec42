// Random histories of a release: what people do, what clusters suffer, and what must be true at every step and at the end.
import type { RevisionSpec, RevisionTarget } from "@chaski/api";
import type { ReleaseFlags } from "@chaski/releases";
import * as fc from "fast-check";
import { type ModelCluster, ModelFleet } from "./model-fleet.ts";
import { BrokenRule } from "./rules.ts";
import { aRevision, NOW_MS } from "./worlds.ts";

export interface Step {
  readonly action: Action;
  readonly pick: number;
  readonly other: number;
}

type PassOptions = Parameters<ModelFleet["pass"]>[0];
type Act = (player: Player, step: Step, cluster: ModelCluster) => PassOptions | void;

/** What may happen between two passes, and how the next pass goes. */
const actions = {
  release: (player) => player.release(),
  fail: (player, { pick }) => player.change(player.tag(pick), (spec) => ({ ...spec, failed: true })),
  lift: (player, { pick }) => player.change(player.tag(pick), (spec) => ({ ...spec, failed: false })),
  forget: (player, { pick }) => player.forget(player.tag(pick)),
  flip: (player, { pick }) => player.change(player.tag(pick), flipEligible),
  down: (_player, _step, cluster) => void (cluster.isUp = false),
  up: (_player, _step, cluster) => void (cluster.isUp = true),
  lag: (_player, _step, cluster) => void (cluster.isLagging = true),
  catchUp: (_player, _step, cluster) => void (cluster.isLagging = false),
  break: (player, { other }, cluster) => void cluster.broken.add(player.tag(other) ?? ""),
  mend: (_player, _step, cluster) => cluster.broken.clear(),
  wait: ({ fleet }, { other }) => fleet.advance(1000 * (1 + other * 3)),
  waitLong: ({ fleet }, { other }) => fleet.advance(60_000 * (1 + other)),
  doubt: (player, { pick }) => player.doubt(player.tag(pick)),
  trust: ({ fleet }) => void (fleet.evidence = {}),
  pause: ({ fleet }) => fleet.annotate({ "chaski.dev/paused": "lunch" }),
  resume: ({ fleet }) => fleet.annotate({}),
  promote: (player, { pick }) => player.fleet.annotate({ "chaski.dev/promote": player.tag(pick) ?? "" }),
  loseStatus: ({ fleet }) => fleet.loseStatus(),
  cutWrites: (_player, { other }) => ({ writes: () => other }),
  conflict: () => ({ isSaved: false }),
  settle: ({ fleet }) => fleet.settleFor(5000),
  settleAgain: ({ fleet }) => fleet.settleFor(12_000),
  settleLong: ({ fleet }) => fleet.settleFor(20_000),
} satisfies Record<string, Act>;

type Action = keyof typeof actions;
const ACTIONS = Object.keys(actions) as readonly Action[];

function flipEligible(spec: RevisionSpec): RevisionSpec {
  const targets = spec.targets.map((target) => ({
    ...target,
    release: { ...target.release, eligible: target.release?.eligible !== true },
  }));
  return { ...spec, targets };
}

const SLO = { name: "up", enabled: true };

const TARGETS: readonly Partial<RevisionTarget>[] = [
  { release: { eligible: true } },
  { release: { eligible: true, scalingStrategy: "geometric", linearScaling: {} } },
  { scale: { min: 6, max: 30, default: 6 } },
  { canary: { percent: 10, ttl: 60 }, serviceLevelObjectives: [SLO] },
  { canary: { percent: 15, ttl: 30 }, datadogMonitoring: { enabled: true } },
  { scale: { min: 0, max: 12, worker: { queueUri: "q", targetMessagesPerWorker: 1, maxDisruption: "1" } } },
  { scale: { min: 2, max: 12, kedaWorker: { triggers: [] } } },
  {
    scale: { min: 10, max: 30, targetRequestsRate: "5" },
    release: { scalingStrategy: "linear", linearScaling: { increment: 35 } },
  },
  { release: { eligible: false } },
];

export interface History {
  readonly factors: readonly number[];
  readonly standby: boolean;
  readonly isAhead: boolean;
  readonly rampMode: ReleaseFlags["rampMode"];
  readonly kinds: readonly number[];
  readonly steps: readonly Step[];
}

export const histories: fc.Arbitrary<History> = fc.record({
  factors: fc.array(fc.constantFrom(1, 1, 0.5, 2, 0.1, 3), { minLength: 1, maxLength: 3 }),
  standby: fc.boolean(),
  isAhead: fc.boolean(),
  rampMode: fc.constantFrom("autoscaler", "replicaset"),
  kinds: fc.array(fc.nat(TARGETS.length - 1), { minLength: 4, maxLength: 4 }),
  steps: fc.array(fc.record({ action: fc.constantFrom(...ACTIONS), pick: fc.nat(11), other: fc.nat(11) }), {
    minLength: 10,
    maxLength: 60,
  }),
});

export interface Told {
  readonly decisions: number;
}

/** Throws where a rule is broken; tells how many decisions it took. */
export function run(history: History): Told {
  const fleet = new ModelFleet({
    clusters: [
      ...history.factors.map((factor) => ({ factor: String(factor), isStandby: false })),
      ...(history.standby ? [{ factor: "1.0", isStandby: true }] : []),
    ],
    flags: { rampMode: history.rampMode },
    startMs: NOW_MS,
    isAhead: history.isAhead,
  });
  const player = new Player(fleet, history);
  for (const step of history.steps) player.play(step);
  player.heal();
  checkEnd(fleet);
  return { decisions: fleet.decisions };
}

class Player {
  readonly fleet: ModelFleet;
  readonly history: History;
  #count = 0;

  constructor(fleet: ModelFleet, history: History) {
    this.fleet = fleet;
    this.history = history;
  }

  play(step: Step): void {
    const cluster = this.fleet.clusters[step.pick % this.fleet.clusters.length];
    const act: Act = actions[step.action];
    if (cluster) this.fleet.pass(act(this, step, cluster) ?? {});
  }

  release(): void {
    if (this.#count >= this.history.kinds.length) return;
    const kind = this.history.kinds[this.#count++] ?? 0;
    const tag = `v${this.#count}`;
    const at = { nowMs: this.fleet.nowMs, ageMs: 1000 };
    const spec = kind % 2 === 0 ? { tagRoutingHeader: "x-tag" } : {};
    this.fleet.revisions.set(tag, aRevision(tag, { target: TARGETS[kind] ?? {}, spec, ...at }));
  }

  /** The last one stays: a release without any Revision is another story. */
  forget(tag: string | undefined): void {
    if (tag !== undefined && this.fleet.revisions.size > 1) this.fleet.revisions.delete(tag);
  }

  doubt(tag = ""): void {
    const evidence = [{ judge: "prometheus", verdict: "unknown" as const, cause: "down" }];
    this.fleet.evidence = { ...this.fleet.evidence, [tag]: evidence };
  }

  change(tag: string | undefined, change: (spec: RevisionSpec) => RevisionSpec): void {
    const revision = tag === undefined ? undefined : this.fleet.revisions.get(tag);
    if (tag !== undefined && revision) this.fleet.revisions.set(tag, { ...revision, spec: change(revision.spec) });
  }

  tag(pick: number): string | undefined {
    const tags = [...this.fleet.revisions.keys()];
    return tags[pick % Math.max(1, tags.length)];
  }

  /** Everything is well again, and a good revision comes. */
  heal(): void {
    const { fleet } = this;
    fleet.evidence = {};
    fleet.annotate({});
    for (const cluster of fleet.clusters) {
      Object.assign(cluster, { isUp: true, isLagging: false });
      cluster.broken.clear();
    }
    fleet.revisions.set("v9", aRevision("v9", { spec: { tagRoutingHeader: "x-tag" }, nowMs: fleet.nowMs, ageMs: 0 }));
  }
}

/** Convergence, and silence afterwards. */
function checkEnd(fleet: ModelFleet): void {
  const isReleased = (): boolean =>
    fleet.state("v9") === "released" && fleet.clusters.every(({ live }) => live.weights["v9"] === 100);
  if (!fleet.runUntil(isReleased)) {
    const gates = fleet.last?.gates.filter(({ verdict }) => verdict !== "passed").map(({ message }) => message);
    const entries = fleet.releaseManager.status?.revisions?.map((entry) => [
      entry.tag,
      entry.state.current,
      entry.currentPercent,
    ]);
    throw new BrokenRule(
      `convergence: the newest good revision is not released: ${JSON.stringify({ entries, gates })}`,
    );
  }
  const isQuiet = (): boolean => fleet.last?.wakeAtMs === undefined || fleet.last.wakeAtMs > fleet.nowMs;
  if (!fleet.runUntil(isQuiet, { passes: 50 })) throw new BrokenRule("silence: passes go on without end");
  for (let count = 0; count < 12; count++) {
    fleet.pass();
    fleet.settle();
    fleet.advance(20_000);
  }
  // A limit may have passed meanwhile: what follows from it is not a second application.
  if (!fleet.runUntil(isQuiet, { passes: 50 })) throw new BrokenRule("silence: passes go on without end");
  const before = snapshot(fleet);
  fleet.pass();
  if (snapshot(fleet) !== before)
    throw new BrokenRule(`rule 5: the second pass writes: ${before} ≠ ${snapshot(fleet)}`);
}

function snapshot(fleet: ModelFleet): string {
  const clusters = fleet.clusters.map(({ live }) => [
    [...live.replicaSets.values()],
    [...live.bounds],
    live.weights,
    live.named,
    live.subsets,
  ]);
  return JSON.stringify([fleet.releaseManager.status, clusters]);
}
