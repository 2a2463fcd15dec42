// What a cluster gets of a revision that is applied (§7.1–7.2, §7.6).
import { type Ref, ReplicaSet, refTo } from "@chaski/kube";
import { apply, type Entry, remove, scale } from "@chaski/runtime/decision";
import type { AppPlan, ClusterPlan, ClusterRevisionPlan } from "../../plan/plan.ts";
import { PrometheusRule } from "../kinds.ts";
import { canaryRuleName } from "../prometheus-rules.ts";
import { applyReplicaSet } from "../replica-set.ts";
import type { RevisionObjects } from "./app-entries.ts";
import { type AutoscalerObject, autoscalerObjects } from "./autoscaler-objects.ts";
import { type Owned, refKey } from "./owned.ts";

/** One revision on one cluster. */
export interface RevisionSite {
  readonly app: AppPlan;
  readonly cluster: Pick<ClusterPlan, "cluster">;
  readonly owned: Owned;
}

export function revisionEntries(
  site: RevisionSite,
  objects: RevisionObjects,
  size: ClusterRevisionPlan,
): readonly Entry[] {
  const { replicaSet, after } = objects;
  const ref = refTo(ReplicaSet, replicaSet);
  const wanted = size.bounds ? autoscalerObjects({ ...site, plan: objects.plan, bounds: size.bounds }) : [];
  const unwanted = unwantedAutoscalers(site, objects, wanted);
  const gone = unwanted.map((entry) => entry.ref);
  return [
    ...unwanted,
    { ...applyReplicaSet(replicaSet, size.initialReplicas), after },
    ...(size.scaleTo === undefined ? [] : [scale(ref, size.scaleTo, gone)]),
    ...wanted.map(({ kind, object }) => apply(refTo(kind, object), object, { after: [...gone, ref] })),
    ...canaryEntries(site, objects, ref),
  ];
}

/** Two autoscalers would fight over one ReplicaSet: the other kinds go first. */
function unwantedAutoscalers(
  { owned }: RevisionSite,
  { plan, scalers }: RevisionObjects,
  wanted: readonly AutoscalerObject[],
): readonly Entry[] {
  const live = scalers.filter(({ key }) => owned.has(key));
  if (live.length === 0) return [];
  const names = new Set(wanted.map(({ kind, object }) => refKey(refTo(kind, object))));
  return live.filter(({ key }) => !names.has(key)).map(({ ref }) => remove(ref, `${plan.tag} is not scaled by it`));
}

function canaryEntries(site: RevisionSite, { plan, canaryRule }: RevisionObjects, after: Ref): readonly Entry[] {
  if (canaryRule) return [apply(refTo(PrometheusRule, canaryRule), canaryRule, { after: [after] })];
  return removeCanaryRule(site, plan.tag, `${plan.tag} is no canary`);
}

export function removeCanaryRule({ app, owned }: RevisionSite, tag: string, because: string): readonly Entry[] {
  const ref = { kind: PrometheusRule, namespace: app.namespace, name: canaryRuleName(app, tag) };
  return owned.find(ref) ? [remove(ref, because)] : [];
}
