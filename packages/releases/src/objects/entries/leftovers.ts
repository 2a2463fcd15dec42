// Objects of ours that nothing else speaks of: each is kept, or removed for a reason that can be told.
import { releaseKeys } from "@chaski/api";
import { ConfigMap, HorizontalPodAutoscaler, PodDisruptionBudget } from "@chaski/kube";
import { type Entry, keep, remove } from "@chaski/runtime/decision";
import type { AppPlan, ClusterPlan } from "../../plan/plan.ts";
import { PrometheusRule, PrometheusServiceLevel, ServiceMonitor, Sidecar, WaypointGateway } from "../kinds.ts";
import { WAYPOINT, WAYPOINT_OPTIONS } from "../waypoint.ts";
import { configsRead, isConfig, tagOf } from "./ending-entries.ts";
import { isKind, type Owned, type OwnedObject } from "./owned.ts";

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
  spokenOf: ReadonlySet<string>,
): readonly Entry[] {
  const left = owned.all.filter(({ key }) => !spokenOf.has(key));
  if (left.length === 0) return [];
  const endings = cluster.endings.filter(({ ending }) => ending !== "delete");
  const tags = new Set([...cluster.revisions, ...endings].map(({ tag }) => tag));
  const site: LeftoverSite = { app, tags, read: configsRead(owned.all) };
  return left.map((object) => leftover(object, site));
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
