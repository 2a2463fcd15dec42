// The rules of the design, as checks of decisions and of the writes that follow from them.
import type { IncarnationStatus, ReleaseManagerStatus, RevisionTarget } from "@chaski/api";
import { keyOf } from "@chaski/kube";
import type { ClusterPlan, ClusterWorld, Outcome, ReleaseWorld } from "@chaski/releases";
import type { Decision } from "@chaski/runtime/decision";
import type { ModelCluster, Write } from "./model-fleet.ts";

export class BrokenRule extends Error {}

function hold(rule: string, isKept: boolean, details: () => unknown): void {
  if (!isKept) throw new BrokenRule(`${rule}: ${JSON.stringify(details())}`);
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

export function checkDecision(world: ReleaseWorld, outcome: Outcome): void {
  const before = world.releaseManager.status?.revisions ?? [];
  const after = outcome.status.revisions ?? [];
  hold("no stall", outcome.stalled === undefined, () => outcome.stalled);
  checkPercents(after, outcome);
  checkPromotion(world, before, after, outcome);
  for (const plan of outcome.plan?.clusters ?? []) {
    const cluster = world.clusters.find(({ name }) => name === plan.cluster);
    if (!cluster) continue;
    checkPlan(cluster, plan);
    for (const size of plan.revisions) checkBounds(world, cluster, size);
  }
  hold(
    "each gate says since when, and a closed one what would open it",
    outcome.gates.every(({ since, unblock, verdict }) => since && (verdict === "passed" || unblock)),
    () => outcome.gates,
  );
  hold("gates are bounded", outcome.gates.length <= 64, () => outcome.gates.length);
  hold("no time to wake in the past", (outcome.wakeAtMs ?? world.nowMs) >= world.nowMs, () => outcome.wakeAtMs);
}

/** Rule 10 and DESIGN's account: each object of ours is mentioned, once; nothing else is removed. */
export function checkEntries(world: ReleaseWorld, { desired, stalled }: Decision<ReleaseManagerStatus>): void {
  hold("no stall", stalled === undefined, () => stalled);
  for (const { cluster, entries } of desired) {
    const owned = world.clusters.find(({ name }) => name === cluster)?.owned ?? [];
    const keys = entries.map(({ ref }) => `${ref.kind.kind}/${keyOf(ref)}`);
    const ours = new Set(owned.map(({ kind, metadata }) => `${kind}/${keyOf(metadata)}`));
    const removed = entries.filter(({ verb }) => verb === "remove").map(({ ref }) => `${ref.kind.kind}/${keyOf(ref)}`);
    const applied = keys.filter((_, index) => entries[index]?.verb === "apply");
    hold(
      "every object of ours is accounted for",
      [...ours].every((key) => keys.includes(key)),
      () => ({ cluster, keys, ours: [...ours] }),
    );
    hold(
      "rule 10: nothing is removed that is not ours",
      cluster === "local" || removed.every((key) => ours.has(key)),
      () => removed,
    );
    hold("an object is applied once", new Set(applied).size === applied.length, () => applied);
    hold(
      "what is removed is not applied",
      removed.every((key) => !applied.includes(key)),
      () => removed,
    );
  }
}

export function checkSame(first: Outcome, second: Outcome): void {
  hold("the same world gives the same decision", JSON.stringify(first) === JSON.stringify(second), () => "");
}

function checkPercents(after: readonly IncarnationStatus[], { plan }: Outcome): void {
  if (!plan) return;
  const percents = after.map(({ currentPercent }) => currentPercent);
  hold("percents sum to 100 or 0", [0, 100].includes(total(percents)), () =>
    after.map((entry) => [entry.tag, entry.state.current, entry.currentPercent]),
  );
  hold(
    "peak is at least the percent",
    after.every((entry) => entry.peakPercent >= entry.currentPercent),
    () => after,
  );
}

const PROMOTED = new Set(["canarying", "canaryingdatadog", "releasing"]);

type Entries = readonly IncarnationStatus[];

/** Rule 3. A roll-back is exempt, and so is a split that had holes before: traffic must go somewhere. */
function checkPromotion(world: ReleaseWorld, before: Entries, after: Entries, outcome: Outcome): void {
  const isRollback =
    outcome.status.rollback !== undefined || outcome.events.some(({ reason }) => reason === "RolledBack");
  const wasWhole = [0, 100].includes(total(before.map(({ currentPercent }) => currentPercent)));
  if (isRollback || !wasWhole) return;
  for (const entry of after.filter(({ state }) => PROMOTED.has(state.current))) {
    const was = before.find(({ tag }) => tag === entry.tag)?.currentPercent;
    if (was === undefined || entry.currentPercent <= was) continue;
    const details = (): unknown => ({
      tag: entry.tag,
      was,
      is: entry.currentPercent,
      before: before.map((e) => [e.tag, e.state.current, e.currentPercent]),
    });
    for (const [name, isClosed] of closedGates(world, entry.tag, before)) hold(`rule 3: ${name}`, !isClosed, details);
  }
}

function closedGates(world: ReleaseWorld, tag: string, before: Entries): readonly (readonly [string, boolean])[] {
  const isLive = ({ cluster }: ClusterWorld): boolean => cluster.spec.hotStandby !== true;
  return [
    [
      "nothing is promoted past an unobserved cluster",
      world.clusters.some((cluster) => isLive(cluster) && cluster.contact.state !== "observed"),
    ],
    [
      "nothing is promoted on unknown evidence",
      world.evidence[tag]?.some(({ verdict }) => verdict === "unknown") ?? false,
    ],
    [
      "nothing is promoted before the last split arrived",
      hasPorts(world) && !hasArrived(world.clusters.filter(isLive), before),
    ],
    ["a pause holds promotions", world.releaseManager.metadata.annotations?.["chaski.dev/paused"] !== undefined],
  ];
}

function hasPorts({ revisions }: ReleaseWorld): boolean {
  return revisions.some(({ spec }) => spec.targets.some(({ ports = [] }) => ports.length > 0));
}

const LEAVING = new Set(["failing", "retiring", "deleting"]);

export function hasArrived(live: readonly Pick<ClusterWorld, "route">[], before: Entries): boolean {
  const weighted = before.filter(({ currentPercent, state }) => currentPercent > 0 && !LEAVING.has(state.current));
  return live.every(({ route }) =>
    weighted.every(({ tag, currentPercent }) => (route?.weights[tag] ?? 0) >= currentPercent),
  );
}

function readyOn({ replicaSets }: ClusterWorld, tag: string): number {
  return replicaSets.find(({ metadata }) => metadata.name === tag)?.status?.availableReplicas ?? 0;
}

function checkPlan(cluster: ClusterWorld, plan: ClusterPlan): void {
  if (plan.route) checkRoute(cluster, plan.route);
  for (const revision of plan.revisions) checkSize(cluster, revision);
  for (const { tag, ending } of plan.endings) {
    hold("what a live route names is kept", ending === "keep" || !(cluster.route?.named ?? []).includes(tag), () => ({
      tag,
      ending,
    }));
  }
}

function checkRoute(cluster: ClusterWorld, route: NonNullable<ClusterPlan["route"]>): void {
  const live = cluster.route?.weights ?? {};
  const weights = Object.fromEntries(route.weights.map(({ tag, percent }) => [tag, percent]));
  const details = (): unknown => ({ cluster: cluster.name, live, weights });
  hold("rule 1: weights sum to 100", [0, 100].includes(total(Object.values(weights))), details);
  hold(
    "a split is never taken away",
    total(Object.values(live)) === 0 || total(Object.values(weights)) === 100,
    details,
  );
  for (const { tag, percent } of route.weights) {
    const isServed = Object.entries(live).some(
      ([other, weight]) => other !== tag && weight > 0 && readyOn(cluster, other) > 0,
    );
    const isRaised = percent > (live[tag] ?? 0);
    hold(
      "rule 2: no weight is raised without a ready pod while another has one",
      !isRaised || readyOn(cluster, tag) > 0 || !isServed,
      details,
    );
  }
  const subsets = new Set(route.subsets.map(({ tag }) => tag));
  const named = [...Object.keys(weights), ...route.tagged.map(({ tag }) => tag), ...(cluster.route?.named ?? [])];
  hold(
    "rule 9: whatever is named has a subset",
    named.every((tag) => subsets.has(tag)),
    () => ({ named, subsets: [...subsets] }),
  );
}

type RevisionSize = ClusterPlan["revisions"][number];

function checkSize(cluster: ClusterWorld, size: RevisionSize): void {
  const { tag, scaleTo, bounds } = size;
  const weight = cluster.route?.weights[tag] ?? 0;
  const replicas = cluster.replicaSets.find(({ metadata }) => metadata.name === tag)?.spec?.replicas ?? 0;
  const details = (): unknown => ({ cluster: cluster.name, size, weight, replicas });
  hold("sizes are whole and bounded", numbersOf(size).every(isCount), details);
  if (weight > 0) hold("nothing with weight is scaled down", (scaleTo ?? replicas) >= replicas, details);
  if (!bounds) return;
  hold("the minimum is at most the maximum", bounds.min <= bounds.max, details);
  hold("what has weight may have a pod", weight === 0 || bounds.max > 0, details);
}

/** The autoscaler's share of the fleet's bounds, and what is asked for at once, stay within scale.max. */
function checkBounds({ clusters, revisions }: ReleaseWorld, { cluster }: ClusterWorld, size: RevisionSize): void {
  const target = revisions.find(({ spec }) => spec.app.tag === size.tag)?.spec.targets[0];
  const live = clusters.filter((candidate) => candidate.cluster.spec.hotStandby !== true).length;
  const most = Math.ceil(podsOf(target) / Math.max(1, live));
  const limit = Math.ceil(Math.max(1, most) * Number(cluster.spec.scalingFactorString ?? 1));
  hold(
    "sizes stay within scale.max",
    (size.bounds?.max ?? 0) <= limit && size.initialReplicas <= Math.max(limit, 1),
    () => ({ size, limit }),
  );
}

function podsOf(target: RevisionTarget | undefined): number {
  const { max, min, default: initial } = target?.scale ?? {};
  return Math.max(max ?? 1, min ?? 1, initial ?? 1);
}

function numbersOf({ initialReplicas, scaleTo = 0, bounds }: RevisionSize): readonly number[] {
  return [initialReplicas, scaleTo, ...(bounds ? [bounds.min, bounds.max] : [])];
}

function isCount(number: number): boolean {
  return Number.isInteger(number) && number >= 0 && number <= 1e9;
}

/** At the moment of the write, against what the cluster really has. */
export function checkWrite(
  { name, live }: ModelCluster,
  _plan: ClusterPlan,
  write: Write,
  { nowMs, drainMs }: { nowMs: number; drainMs: number },
): void {
  const where = (): unknown => ({
    cluster: name,
    write,
    live: { weights: live.weights, named: live.named, subsets: live.subsets },
  });
  if (write.type === "route") {
    hold(
      "rule 9: a route names only subsets that are there",
      write.named.every((tag) => live.subsets.includes(tag)),
      where,
    );
  }
  if (write.type === "subsets") {
    hold(
      "rule 9: a named subset stays",
      live.named.every((tag) => write.subsets.includes(tag)),
      where,
    );
    const early = live.subsets.filter(
      (tag) => !write.subsets.includes(tag) && !isDrained(live.lastNamedMs.get(tag), nowMs, drainMs),
    );
    hold("rule 9: a subset stays until it has drained", early.length === 0, where);
  }
  if (write.type === "delete" || (write.type === "scale" && write.replicas === 0)) {
    hold("pods go only where no route names them", !live.named.includes(write.tag), where);
    hold("pods go only after the drain", isDrained(live.lastNamedMs.get(write.tag), nowMs, drainMs), where);
  }
}

function isDrained(lastNamedMs: number | undefined, nowMs: number, drainMs: number): boolean {
  return lastNamedMs === undefined || nowMs - lastNamedMs >= drainMs;
}
