// One tag of one ReleaseManager: its Revision, its settings, what is saved about it and what is seen of it (§5.1).
import { type IncarnationStatus, releaseKeys, type Revision } from "@chaski/api";
import { defined, formatTimestamp, timeMs } from "@chaski/kube";
import { factorFor, type Fleet } from "./fleet.ts";
import { PERCENT, PODS, sum, whole } from "./numbers.ts";
import { settingsOf, type TargetSettings } from "./settings.ts";
import { isBeforeTraffic, readState, type State } from "./states.ts";
import type { ClusterWorld, ReleaseWorld } from "./world.ts";

export interface Incarnation {
  readonly tag: string;
  readonly revision: Revision | undefined;
  /** Present with the Revision: a Revision without the target is as good as none. */
  readonly settings: TargetSettings | undefined;
  readonly status: IncarnationStatus;
  /** Undefined for a stored word that is no state: left alone, told, and nobody else is held up (D-09). */
  readonly state: State | undefined;
  readonly pods: PodCounts;
  readonly gitMs: number;
  readonly createdMs: number;
}

export interface PodCounts {
  readonly isSeen: boolean;
  /** On every live cluster where it should run, and ready there. */
  readonly isEverywhere: boolean;
  readonly desired: number;
  readonly current: number;
  readonly byCluster: Readonly<Record<string, ClusterPods>>;
}

export interface ClusterPods {
  readonly desired: number;
  readonly available: number;
}

export function withStatus(incarnation: Incarnation, change: Partial<IncarnationStatus>): Incarnation {
  return { ...incarnation, status: { ...incarnation.status, ...change } };
}

export function percentOf({ status }: Incarnation): number {
  return status.currentPercent;
}

/** Newest first; those without a Revision last. Of two that are equally old the greater tag is newer: v2, not v1. */
function byAge(a: Incarnation, b: Incarnation): number {
  const present = Number(b.revision !== undefined) - Number(a.revision !== undefined);
  return present || b.gitMs - a.gitMs || b.createdMs - a.createdMs || (a.tag < b.tag ? 1 : -Number(a.tag > b.tag));
}

/** One per Revision, per leftover entry and per tag that a cluster still runs, newest first. */
export function incarnationsOf(world: ReleaseWorld, fleet: Fleet): readonly Incarnation[] {
  const { revisions, releaseManager } = world;
  const entries = new Map((releaseManager.status?.revisions ?? []).map((entry) => [entry.tag, entry]));
  const byTag = new Map<string, Revision>();
  for (const revision of revisions) {
    const tag = revision.spec?.app?.tag;
    if (typeof tag === "string" && settingsOf(revision, releaseManager.spec.target)) byTag.set(tag, revision);
  }
  const tags = [...new Set([...byTag.keys(), ...entries.keys(), ...tagsOn(fleet)])];
  const observed = observe(fleet, byTag);
  return tags
    .map((tag) => build(world, { tag, revision: byTag.get(tag), entry: entries.get(tag), pods: observed(tag) }))
    .toSorted(byAge);
}

/** Every tag as it was last saved, in numbers that can be counted with. */
export function savedEntries({ releaseManager }: ReleaseWorld): readonly IncarnationStatus[] {
  const entries = new Map((releaseManager.status?.revisions ?? []).map((entry) => [entry.tag, entry]));
  return [...entries.values()].map((entry) => {
    const { scale } = entry;
    const counts = {
      Current: whole(scale?.Current, PODS, 0),
      Desired: whole(scale?.Desired, PODS, 0),
      Peak: whole(scale?.Peak, PODS, 0),
    };
    return { ...sanitised(entry.tag, entry, ""), scale: counts };
  });
}

interface Parts {
  readonly tag: string;
  readonly revision: Revision | undefined;
  readonly entry: IncarnationStatus | undefined;
  readonly pods: PodCounts | undefined;
}

function build(world: ReleaseWorld, { tag, revision, entry, pods }: Parts): Incarnation {
  const settings = revision && settingsOf(revision, world.releaseManager.spec.target);
  const now = formatTimestamp(world.nowMs);
  const saved = sanitised(tag, entry, now);
  const incarnation: Incarnation = {
    tag,
    revision,
    settings,
    state: readState(saved.state.current),
    status: { ...saved, revisionTimestamp: saved.revisionTimestamp ?? revision?.metadata.creationTimestamp ?? now },
    pods: pods ?? lastCounts(saved),
    gitMs: timeMs(revision ? gitTimeOf(revision) : saved.gitTimestamp) ?? 0,
    createdMs: timeMs(revision?.metadata.creationTimestamp) ?? 0,
  };
  return seen(fromSpec(incarnation), { isCertain: pods !== undefined, now });
}

function gitTimeOf({ metadata }: Revision): string | undefined {
  return metadata.annotations?.[releaseKeys.annotations.committerTimestamp];
}

function sanitised(tag: string, entry: IncarnationStatus | undefined, now: string): IncarnationStatus {
  if (!entry) {
    const state = { current: "created", target: "created", lastUpdated: now };
    return { tag, state, currentPercent: 0, peakPercent: 0, releaseEligible: false, lastUpdated: now };
  }
  return {
    ...entry,
    state: typeof entry.state === "object" && entry.state !== null ? entry.state : { current: "", target: "" },
    currentPercent: whole(entry.currentPercent, PERCENT, 0),
    peakPercent: whole(entry.peakPercent, PERCENT, 0),
    releaseEligible: (entry.releaseEligible as unknown) === true,
  };
}

/** What follows the spec until traffic is decided on; afterwards it is frozen (D-41). */
function fromSpec(incarnation: Incarnation): Incarnation {
  const { settings, revision, state, status } = incarnation;
  if (!isBeforeTraffic(state)) return incarnation;
  if (!settings || !revision) return withStatus(incarnation, { releaseEligible: false });
  const gitTimestamp = gitTimeOf(revision);
  return withStatus(
    incarnation,
    defined({
      gitTimestamp: timeMs(gitTimestamp) === undefined ? status.gitTimestamp : gitTimestamp,
      releaseEligible: settings.release.isEligible,
      ttl: settings.release.ttlSeconds,
    }),
  );
}

function lastCounts({ scale, deleted }: IncarnationStatus): PodCounts {
  return {
    isSeen: deleted !== true,
    isEverywhere: false,
    desired: whole(scale?.Desired, PODS, 0),
    current: whole(scale?.Current, PODS, 0),
    byCluster: {},
  };
}

/** A tag of which nothing is left anywhere has no traffic either; but only where the whole fleet is known. */
function seen(incarnation: Incarnation, { isCertain, now }: { isCertain: boolean; now: string }): Incarnation {
  const { pods, status } = incarnation;
  if (!isCertain) return incarnation;
  const scale = {
    Current: pods.current,
    Desired: pods.desired,
    Peak: Math.max(whole(status.scale?.Peak, PODS, 0), pods.current),
  };
  if (pods.isSeen) return withStatus(incarnation, { scale, deleted: false });
  const lost = status.currentPercent > 0 ? { currentPercent: 0, lastUpdated: now } : {};
  return withStatus(incarnation, { scale, deleted: true, ...lost });
}

/** Counts by tag; undefined for a tag that is not seen while a live cluster was never heard from. */
function observe(fleet: Fleet, revisions: ReadonlyMap<string, Revision>): (tag: string) => PodCounts | undefined {
  const byCluster = new Map(fleet.clusters.map((cluster) => [cluster.name, podsByTag(cluster.world)]));
  const isCertain = fleet.live.every(({ isKnown }) => isKnown);
  return (tag) => {
    const found = fleet.clusters.flatMap((cluster) => {
      const pods = byCluster.get(cluster.name)?.get(tag);
      return pods ? [{ cluster, pods }] : [];
    });
    if (found.length === 0 && !isCertain) return undefined;
    const live = found.filter(({ cluster }) => cluster.isLive).map(({ pods }) => pods);
    const expected = fleet.live.filter((cluster) => factorFor(cluster, revisions.get(tag)) > 0);
    return {
      isSeen: found.length > 0,
      isEverywhere:
        expected.length > 0 && expected.every(({ name }) => (byCluster.get(name)?.get(tag)?.available ?? 0) > 0),
      desired: sum(live.map(({ desired }) => desired)),
      current: sum(live.map(({ available }) => available)),
      byCluster: Object.fromEntries(found.map(({ cluster, pods }) => [cluster.name, pods])),
    };
  };
}

/** What runs without an entry and without a Revision has lost both: it drains and goes as any other. */
function tagsOn({ clusters }: Fleet): readonly string[] {
  return clusters.flatMap((cluster) => [...podsByTag(cluster.world).keys(), ...(cluster.world.subsets ?? [])]);
}

/** By the label on the ReplicaSet itself (D-10). */
export function podsByTag(world: ClusterWorld): ReadonlyMap<string, ClusterPods> {
  const pods = new Map<string, ClusterPods>();
  for (const { metadata, spec, status } of world.replicaSets) {
    const tag = metadata.labels?.[releaseKeys.labels.tag];
    if (tag === undefined) continue;
    pods.set(tag, { desired: whole(spec?.replicas, PODS, 1), available: whole(status?.availableReplicas, PODS, 0) });
  }
  return pods;
}
