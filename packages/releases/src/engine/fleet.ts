// The clusters of one decision: which count, how much each of them takes, and which can be believed.
import { DEFAULT_SCALING_FACTOR, releaseKeys, type Revision } from "@chaski/api";
import type { ClusterWorld, ReleaseWorld } from "./world.ts";

export interface FleetCluster {
  readonly name: string;
  readonly world: ClusterWorld;
  readonly isLive: boolean;
  /** Undefined where it can't be read: nothing is scaled there. */
  readonly factor: number | undefined;
  readonly isObserved: boolean;
  readonly isReachable: boolean;
  /** Whether there is anything to believe: what was never heard from says nothing about what is absent. */
  readonly isKnown: boolean;
}

export interface Fleet {
  readonly clusters: readonly FleetCluster[];
  /** Those that count for readiness, capacity and division. */
  readonly live: readonly FleetCluster[];
}

const FACTOR_MAX = 1000;

export function fleetOf({ clusters }: ReleaseWorld): Fleet {
  const all = clusters.map(fleetCluster);
  return { clusters: all, live: all.filter(({ isLive }) => isLive) };
}

function fleetCluster(world: ClusterWorld): FleetCluster {
  const { contact, cluster } = world;
  const isObserved = contact.state === "observed";
  const isQuarantined = cluster.metadata.annotations?.[releaseKeys.annotations.quarantine] !== undefined;
  return {
    name: world.name,
    world,
    // A person says that nobody shall wait for it: it counts again as soon as it is observed.
    isLive: cluster.spec.hotStandby !== true && (isObserved || !isQuarantined),
    factor: parseFactor(cluster.spec.scalingFactorString),
    isObserved,
    isReachable: contact.state !== "unreachable",
    isKnown: isObserved || contact.lastHeardMs !== undefined,
  };
}

function parseFactor(text: unknown): number | undefined {
  const given = text === undefined || text === null || text === "" ? DEFAULT_SCALING_FACTOR : text;
  if (typeof given !== "string" || !/^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(given)) return undefined;
  const factor = Number(given);
  return factor <= FACTOR_MAX ? factor : undefined;
}

/** The factor for one revision: 0 where events are not to be worked on (D-61). */
export function factorFor({ factor = 0, world }: FleetCluster, revision: Revision | undefined): number {
  const isDisabled = revision?.spec.eventDriven === true && world.cluster.spec.disableEventDriven === true;
  return isDisabled ? 0 : factor;
}

export function factorsFor(clusters: readonly FleetCluster[], revision: Revision | undefined): readonly number[] {
  return clusters.map((cluster) => factorFor(cluster, revision));
}

/** Live clusters that hold a promotion because nobody knows what happens there (rule 3). */
export function unobserved({ live }: Fleet): readonly FleetCluster[] {
  return live.filter(({ isObserved }) => !isObserved);
}
