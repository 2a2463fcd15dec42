// A release that ends: its ReleaseManager is deleted, or nothing of the app is left (§4.2, §4.3, D-36, D-83).
import { releaseKeys, ReleaseManager } from "@chaski/api";
import { formatTimestamp, type KubeObject, refTo, timeMs } from "@chaski/kube";
import { type Entry, finalizerPatches, keep, LOCAL_CLUSTER, MADE_ANNOTATION, remove } from "@chaski/runtime/decision";
import { refOf } from "../objects/kinds.ts";
import type { Fleet } from "./fleet.ts";
import type { Outcome } from "./outcome.ts";
import { namespaceOf } from "./plan-app.ts";
import { releasedClaim, statusOf } from "./report.ts";
import { timestampText } from "./time-text.ts";
import type { ClusterWorld, ReleaseWorld } from "./world.ts";

/** The namespace and what lies outside of it go everywhere, then the finalizer. */
export function decideDeletion(world: ReleaseWorld, fleet: Fleet): Outcome {
  const { releaseManager, nowMs, flags } = world;
  const namespace = namespaceOf(world);
  const isLeft = (object: KubeObject): boolean => !isShared(object, namespace);
  const remaining = fleet.clusters.filter(({ isKnown, world: { owned } }) => !isKnown || owned.some(isLeft));
  const deadlineMs = (timeMs(releaseManager.metadata.deletionTimestamp) ?? nowMs) + flags.cleanupTimeoutMs;
  const isLate = remaining.length > 0 && deadlineMs <= nowMs;
  const isDone = remaining.length === 0 || isLate;
  return {
    ...unchanged(world, fleet),
    gates: remaining.map(({ name }) => ({
      name: "CleanedUp",
      verdict: "waiting",
      cluster: name,
      message: `cluster ${name} still has objects of this release`,
      unblock: "the cluster is reached and its objects are gone, or the time passes",
      earliest: timestampText(deadlineMs),
    })),
    events: isLate
      ? [
          {
            type: "Warning",
            reason: "CleanupTimeout",
            message: `objects are left on ${remaining.map(({ name }) => name).join(", ")}`,
          },
        ]
      : [],
    patches: isDone
      ? finalizerPatches(ReleaseManager, releaseManager, releaseKeys.finalizers.releaseManager, false)
      : [],
    entries: Object.fromEntries(fleet.clusters.map((cluster) => [cluster.name, removals(cluster.world, namespace)])),
    ...(isDone ? {} : { wakeAtMs: deadlineMs }),
  };
}

/** The namespace of the service levels is everybody's. */
function isShared({ kind, metadata }: KubeObject, namespace: string): boolean {
  return kind === "Namespace" && metadata.name !== namespace;
}

/** What lives in the namespace goes with it; one that was there before us stays, and all of ours goes from it. */
function removals({ owned }: ClusterWorld, namespace: string): readonly Entry[] {
  const goesWhole = owned.some(({ kind, metadata }) => {
    return kind === "Namespace" && metadata.name === namespace && metadata.annotations?.[MADE_ANNOTATION] !== undefined;
  });
  return owned.flatMap((object) => {
    const ref = refOf(object);
    if (!ref) return [];
    const goesAlong = goesWhole && object.metadata.namespace === namespace;
    return [goesAlong || isShared(object, namespace) ? keep(ref) : remove(ref, "the ReleaseManager is deleted")];
  });
}

/** Without any Revision the ReleaseManager goes too; but what still has traffic gets a time of grace (D-83). */
export function decideOrphan(world: ReleaseWorld, fleet: Fleet): Outcome {
  const { releaseManager, nowMs, flags } = world;
  const before = unchanged(world, fleet);
  const since = releaseManager.status?.orphanedSince ?? formatTimestamp(nowMs);
  const endMs = (timeMs(since) ?? nowMs) + flags.orphanGraceMs;
  if (hasTraffic(world, fleet) && endMs > nowMs) {
    const message = "its last Revision is gone although it has traffic: traffic goes on for a while";
    return {
      ...before,
      status: statusOf(world, {
        ...recorded(world),
        orphanedSince: since,
        claims: [releasedClaim([], { fleet, hasRoutes: false }, [])],
      }),
      gates: [
        {
          name: "Orphaned",
          verdict: "waiting",
          message,
          since,
          earliest: timestampText(endMs),
          unblock: "a Revision appears, or the time passes",
        },
      ],
      events:
        releaseManager.status?.orphanedSince === undefined ? [{ type: "Warning", reason: "Orphaned", message }] : [],
      wakeAtMs: endMs,
    };
  }
  return {
    ...before,
    entries: { [LOCAL_CLUSTER]: [remove(refTo(ReleaseManager, releaseManager), "no Revision is left")] },
  };
}

function hasTraffic({ releaseManager }: ReleaseWorld, { clusters }: Fleet): boolean {
  const isWeighted = (releaseManager.status?.revisions ?? []).some(({ currentPercent }) => currentPercent > 0);
  return isWeighted || clusters.some(({ world }) => Object.keys(world.route?.weights ?? {}).length > 0);
}

function recorded({ releaseManager }: ReleaseWorld): Pick<Parameters<typeof statusOf>[1], "revisions" | "rollback"> {
  return { revisions: releaseManager.status?.revisions ?? [], rollback: releaseManager.status?.rollback };
}

/** Nothing moves: the status stays, and so does everything that is ours. */
export function unchanged(world: ReleaseWorld, fleet: Fleet): Outcome {
  const { releaseManager } = world;
  return {
    status: statusOf(world, { ...recorded(world), orphanedSince: releaseManager.status?.orphanedSince, claims: [] }),
    gates: [],
    events: [],
    patches: [],
    entries: Object.fromEntries(fleet.clusters.map(({ name, world: cluster }) => [name, kept(cluster)])),
  };
}

function kept({ owned }: ClusterWorld): readonly Entry[] {
  return owned.flatMap((object) => {
    const ref = refOf(object);
    return ref ? [keep(ref)] : [];
  });
}
