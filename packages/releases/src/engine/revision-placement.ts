// Where a Revision's targets are released: one ReleaseManager each (§4.1, D-06, D-35, D-85).
import { type IncarnationStatus, ReleaseManager, releaseKeys, type Revision, type RevisionTarget } from "@chaski/api";
import { apiVersionOf, refTo, timeMs } from "@chaski/kube";
import { type ApplyEntry, apply, type EventNote, type ObjectPatch } from "@chaski/runtime/decision";
import type { RevisionWorld } from "./decide-revision.ts";

export interface Placement {
  readonly target: RevisionTarget;
  readonly name: string;
  readonly revision: Revision;
  /** The oldest of those that match; undefined until it was made. */
  readonly releaseManager?: ReleaseManager;
  readonly entry?: IncarnationStatus | undefined;
  /** Has the name that this target needs, for another app or target. */
  readonly rival?: ReleaseManager;
  /** The fleet has another name than the ReleaseManager says, and this is the Revision to decide it. */
  readonly hasMoved: boolean;
}

export function placementsOf(world: RevisionWorld): readonly Placement[] {
  const { revision } = world;
  return (revision.spec.targets ?? []).map((target): Placement => {
    const name = `${revision.spec.app.name}-${target.name}`;
    const [releaseManager] = matchesOf(world, target);
    const basis = { target, name, revision, hasMoved: false };
    if (releaseManager) {
      const entry = releaseManager.status?.revisions?.find(({ tag }) => tag === revision.spec.app.tag);
      const hasMoved = releaseManager.spec.fleet !== target.fleet && isNewest(world, target);
      return { ...basis, releaseManager, entry, hasMoved };
    }
    const rival = world.releaseManagers.find(({ metadata }) => metadata.name === name);
    return rival ? { ...basis, rival } : basis;
  });
}

function matchesOf({ revision, releaseManagers }: RevisionWorld, target: RevisionTarget): readonly ReleaseManager[] {
  return releaseManagers
    .filter(({ spec }) => spec.app === revision.spec.app.name && spec.target === target.name)
    .toSorted((a, b) => (ageKey(a) < ageKey(b) ? -1 : 1));
}

function ageKey({ metadata }: ReleaseManager): string {
  return `${metadata.creationTimestamp ?? ""} ${metadata.name}`;
}

/** Older Revisions that still name another fleet have no say. */
function isNewest({ revision, siblings }: RevisionWorld, { name }: RevisionTarget): boolean {
  const rivals = siblings.filter(({ spec }) => spec.targets?.some((target) => target.name === name));
  return rivals.every((sibling) => gitKey(sibling) < gitKey(revision));
}

function gitKey({ metadata }: Revision): string {
  const gitMs = timeMs(metadata.annotations?.[releaseKeys.annotations.committerTimestamp]) ?? 0;
  return `${String(gitMs).padStart(16, "0")} ${metadata.creationTimestamp ?? ""} ${metadata.name}`;
}

/** Made once; what it is about never changes, and its fleet only by a patch. */
export function placementEntries(placements: readonly Placement[]): readonly ApplyEntry[] {
  return placements
    .filter(({ releaseManager, rival }) => !releaseManager && !rival)
    .map(({ name, target, revision }) => {
      const { fleet } = target;
      const app = revision.spec.app.name;
      const { labels, finalizers } = releaseKeys;
      const object: ReleaseManager = {
        apiVersion: apiVersionOf(ReleaseManager),
        kind: ReleaseManager.kind,
        metadata: {
          name,
          namespace: revision.metadata.namespace ?? "",
          labels: { [labels.app]: app, [labels.target]: target.name, [labels.fleet]: fleet },
          finalizers: [finalizers.releaseManager],
        },
        spec: { app, target: target.name, fleet },
      };
      return apply(refTo(ReleaseManager, object), object);
    });
}

export function placementPatches(placements: readonly Placement[]): readonly ObjectPatch[] {
  return placements.flatMap(({ releaseManager, target, hasMoved }) => {
    if (!releaseManager || !hasMoved) return [];
    const patch = {
      metadata: { labels: { [releaseKeys.labels.fleet]: target.fleet } },
      spec: { fleet: target.fleet },
    };
    const { resourceVersion = "" } = releaseManager.metadata;
    return [{ ref: refTo(ReleaseManager, releaseManager), resourceVersion, patch }];
  });
}

export function placementEvents(placements: readonly Placement[]): readonly EventNote[] {
  return placements
    .filter(({ hasMoved }) => hasMoved)
    .map(({ name, target, releaseManager }) => ({
      type: "Normal",
      reason: "FleetChanged",
      message: `ReleaseManager ${name} moves from fleet ${releaseManager?.spec.fleet ?? ""} to ${target.fleet}`,
    }));
}
