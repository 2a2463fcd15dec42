// What a cluster gets of a revision that is applied (§7.1–7.2, §7.6).
import { ConfigMap, HorizontalPodAutoscaler, type Ref, ReplicaSet, refTo } from "@chaski/kube";
import { apply, type Entry, remove, scale } from "@chaski/runtime/decision";
import type { AppPlan, ClusterPlan, ClusterRevisionPlan } from "../../engine/plan.ts";
import { DatadogMetric, PrometheusRule, ScaledObject, TriggerAuthentication, WorkerPodAutoScaler } from "../kinds.ts";
import { canaryRuleName } from "../prometheus-rules.ts";
import { applyReplicaSet } from "../replica-set.ts";
import { datadogConfigName } from "../trigger-authentication.ts";
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
  const unwanted = unwantedAutoscalers(site, objects.plan.tag, wanted);
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
  { app, owned }: RevisionSite,
  tag: string,
  wanted: readonly AutoscalerObject[],
): readonly Entry[] {
  const names = new Set(wanted.map(({ kind, object }) => refKey(refTo(kind, object))));
  return autoscalerRefs(app, tag)
    .filter((ref) => owned.find(ref) && !names.has(refKey(ref)))
    .map((ref) => remove(ref, `${tag} is not scaled by it`));
}

export function autoscalerRefs({ namespace }: Pick<AppPlan, "namespace">, tag: string): readonly Ref[] {
  const kinds = [HorizontalPodAutoscaler, WorkerPodAutoScaler, ScaledObject, TriggerAuthentication, DatadogMetric];
  return [
    ...kinds.map((kind) => ({ kind, namespace, name: tag })),
    { kind: ConfigMap, namespace, name: datadogConfigName(tag) },
  ];
}

function canaryEntries(site: RevisionSite, { plan, canaryRule }: RevisionObjects, after: Ref): readonly Entry[] {
  if (canaryRule) return [apply(refTo(PrometheusRule, canaryRule), canaryRule, { after: [after] })];
  return removeCanaryRule(site, plan.tag, `${plan.tag} is no canary`);
}

export function removeCanaryRule({ app, owned }: RevisionSite, tag: string, because: string): readonly Entry[] {
  const ref = { kind: PrometheusRule, namespace: app.namespace, name: canaryRuleName(app, tag) };
  return owned.find(ref) ? [remove(ref, because)] : [];
}
