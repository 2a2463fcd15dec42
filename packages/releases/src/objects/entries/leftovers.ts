// Objects of ours that nothing else speaks of: each is kept, or removed for a reason that can be told.
import { releaseKeys } from "@chaski/api";
import { ConfigMap, HorizontalPodAutoscaler, PodDisruptionBudget } from "@chaski/kube";
import { type Entry, keep, remove } from "@chaski/runtime/decision";
import type { AppPlan, ClusterPlan } from "../../engine/plan.ts";
import { PrometheusRule, PrometheusServiceLevel, ServiceMonitor, Sidecar, WaypointGateway } from "../kinds.ts";
import { WAYPOINT, WAYPOINT_OPTIONS } from "../waypoint.ts";
import { configsRead, isConfig, tagOf } from "./ending-entries.ts";
import { isKind, type Owned, type OwnedObject, refKey } from "./owned.ts";

type Rule = (object: OwnedObject, site: LeftoverSite) => string | undefined;

interface LeftoverSite {
  readonly app: AppPlan;
  /** Tags that have a say: those that are applied, kept or retired. */
  readonly tags: ReadonlySet<string>;
  readonly read: ReadonlySet<string>;
}

/** Why a leftover may go. */
const RULES: readonly Rule[] = [
  ({ ref }, { app }) => (isWaypoint(ref) && !app.mesh.waypoint ? "no revision needs a waypoint" : undefined),
  ({ ref }) => (isKind(ref, Sidecar) ? "no revision names egress hosts" : undefined),
  ({ ref }) => (isKind(ref, ServiceMonitor) ? "no revision lists it" : undefined),
  ({ ref, object }) =>
    isKind(ref, PrometheusRule) && !isOfCanary(object) ? "no revision has rules for it" : undefined,
  ({ ref }, { app }) =>
    isKind(ref, PrometheusServiceLevel) && app.flags.serviceLevelsNamespace !== ""
      ? "no objective is enabled"
      : undefined,
  (owned, site) => (isForsaken(owned, site) ? "no revision chooses it" : undefined),
];

export function leftoverEntries(
  { app, cluster, owned }: { readonly app: AppPlan; readonly cluster: ClusterPlan; readonly owned: Owned },
  entries: readonly Entry[],
): readonly Entry[] {
  const spokenOf = new Set(entries.map(({ ref }) => refKey(ref)));
  const endings = cluster.endings.filter(({ ending }) => ending !== "delete");
  const site: LeftoverSite = {
    app,
    tags: new Set([...cluster.revisions, ...endings].map(({ tag }) => tag)),
    read: configsRead(owned.all),
  };
  return owned.all.filter(({ ref }) => !spokenOf.has(refKey(ref))).map((object) => leftover(object, site));
}

function leftover(object: OwnedObject, site: LeftoverSite): Entry {
  for (const rule of RULES) {
    const because = rule(object, site);
    if (because !== undefined) return remove(object.ref, because);
  }
  return keep(object.ref);
}

function isWaypoint(ref: OwnedObject["ref"]): boolean {
  if (isKind(ref, ConfigMap)) return ref.name === WAYPOINT_OPTIONS;
  return ref.name === WAYPOINT && isKind(ref, WaypointGateway, PodDisruptionBudget, HorizontalPodAutoscaler);
}

function isOfCanary({ metadata }: OwnedObject["object"]): boolean {
  return metadata.labels?.[releaseKeys.labels.ruleType] === "canary";
}

/** A config whose tag is gone, and that no ReplicaSet reads. */
function isForsaken({ ref, object }: OwnedObject, { tags, read }: LeftoverSite): boolean {
  const tag = tagOf(object);
  return isConfig(ref) && tag !== undefined && !tags.has(tag) && !read.has(ref.name);
}
