// A Revision (§4.1): its labels, a ReleaseManager per target, its end, its failure, and what became of it.
import { ReleaseManager, releaseKeys, Revision, type RevisionStatus } from "@chaski/api";
import { formatTimestamp, type KubeObject, refTo, setConditions } from "@chaski/kube";
import { type Decision, decision, keep, LOCAL_CLUSTER, type ObjectPatch, remove } from "@chaski/runtime/decision";
import { type Failure, failureOf } from "./revision-failure.ts";
import {
  type Placement,
  placementEntries,
  placementEvents,
  placementPatches,
  placementsOf,
} from "./revision-placement.ts";
import { revisionClaims, targetStatus } from "./revision-report.ts";
import type { Evidence } from "./world.ts";

/** All that a decision about one Revision may look at. */
export interface RevisionWorld {
  readonly nowMs: number;
  readonly revision: Revision;
  /** Other Revisions of the app, in its namespace. */
  readonly siblings: readonly Revision[];
  /** Of its namespace: those of the app, and those whose names it needs. */
  readonly releaseManagers: readonly ReleaseManager[];
  /** ReleaseManagers that were made for this Revision. */
  readonly owned: readonly KubeObject[];
  readonly evidence: readonly Evidence[];
  /** Above this percent, won against others, a judge fails nothing any more. */
  readonly judgeUntilPercent: number;
}

export function decideRevision(world: RevisionWorld): Decision<RevisionStatus> {
  const { revision } = world;
  if (revision.metadata.deletionTimestamp !== undefined) return decision({});
  if (isDeletable(revision)) return decideEnd(world);

  const placements = placementsOf(world);
  const failure = failureOf(world, placements);
  return decision({
    status: statusOf(world, placements, failure),
    patches: [...revisionPatches(world, failure), ...placementPatches(placements)],
    desired: [{ cluster: LOCAL_CLUSTER, entries: [...placementEntries(placements), ...kept(world)] }],
    events: [
      ...(failure ? [{ type: "Warning" as const, reason: "RevisionFailed", message: failure.message }] : []),
      ...placementEvents(placements),
    ],
  });
}

/** Each target has said so, in as many words (D-05). */
function isDeletable({ metadata, spec }: Revision): boolean {
  const { targets } = spec;
  return (
    targets.length > 0 && targets.every(({ name }) => metadata.labels?.[releaseKeys.deletableLabel(name)] === "true")
  );
}

function decideEnd(world: RevisionWorld): Decision<RevisionStatus> {
  const because = "no target has any use for it";
  return decision({
    desired: [{ cluster: LOCAL_CLUSTER, entries: [remove(refTo(Revision, world.revision), because), ...kept(world)] }],
    events: [{ type: "Normal", reason: "Deleted", message: `${world.revision.spec.app.tag} is deleted: ${because}` }],
  });
}

/** A ReleaseManager outlives the Revision that it was made for. */
function kept({ owned }: RevisionWorld): readonly ReturnType<typeof keep>[] {
  return owned.map((object) => keep(refTo(ReleaseManager, object)));
}

function revisionPatches({ revision, nowMs }: RevisionWorld, failure: Failure | undefined): readonly ObjectPatch[] {
  const labels = wantedLabels(revision);
  const failedAt = { [releaseKeys.annotations.failedAt]: formatTimestamp(nowMs) };
  const metadata = { ...(labels ? { labels } : {}), ...(failure ? { annotations: failedAt } : {}) };
  if (Object.keys(metadata).length === 0) return [];
  const patch = { metadata, ...(failure ? { spec: { failed: true } } : {}) };
  return [{ ref: refTo(Revision, revision), resourceVersion: revision.metadata.resourceVersion ?? "", patch }];
}

/** One per fleet that a target names, and the app where it is missing; undefined if all is as it should be. */
function wantedLabels({
  metadata: { labels = {} },
  spec,
}: Revision): Readonly<Record<string, string | null>> | undefined {
  const fleets = new Set((spec.targets ?? []).map(({ fleet }) => releaseKeys.fleetLabel(fleet)));
  const prefix = releaseKeys.fleetLabel("");
  const missing = [...fleets].filter((label) => labels[label] === undefined).map((label) => [label, ""] as const);
  const stale = Object.keys(labels)
    .filter((label) => label.startsWith(prefix) && !fleets.has(label))
    .map((label) => [label, null] as const);
  const app = labels[releaseKeys.labels.app] === undefined ? [[releaseKeys.labels.app, spec.app.name] as const] : [];
  const changes = [...missing, ...stale, ...app];
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}

function statusOf(
  world: RevisionWorld,
  placements: readonly Placement[],
  failure: Failure | undefined,
): RevisionStatus {
  const { revision, nowMs } = world;
  const { sentry = {}, conditions: before } = revision.status ?? {};
  const claims = revisionClaims(world, placements, failure);
  const conditions = setConditions(before, claims, formatTimestamp(nowMs));
  return { sentry, targets: placements.map((placement) => targetStatus(placement)), conditions };
}
