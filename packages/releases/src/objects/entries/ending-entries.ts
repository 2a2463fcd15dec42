// What becomes of the objects of a tag that is not applied any more (§7.3, §7.4, §7.10). All of it is read from what is
// live: the Revision may be gone.
import { releaseKeys } from "@chaski/api";
import { ConfigMap, type KubeObject, ReplicaSet, type Ref, Secret } from "@chaski/kube";
import { apply, type Entry, remove, scale } from "@chaski/runtime/decision";
import type { EndingPlan } from "../../plan/plan.ts";
import { filled } from "../filled.ts";
import { ExternalSecret, ScaledObject, TriggerAuthentication, WorkerPodAutoScaler } from "../kinds.ts";
import { incarnationLabels } from "../labels.ts";
import { isKind, type OwnedObject } from "./owned.ts";
import { removeCanaryRule, type RevisionSite } from "./revision-entries.ts";

const { annotations: keys, labels } = releaseKeys;

export function tagOf({ metadata }: KubeObject): string | undefined {
  return metadata.labels?.[labels.tag];
}

export function endingEntries(site: RevisionSite, plan: EndingPlan): readonly Entry[] {
  const { tag, because } = plan;
  const ref = { kind: ReplicaSet, namespace: site.app.namespace, name: tag };
  switch (plan.ending) {
    case "keep":
      return [...withoutRamping(site, tag, ref), ...scaled(plan, ref, [])];
    case "retire": {
      const gone = queueScalers(site, tag).map((scaler) => remove(scaler, because));
      const rule = removeCanaryRule(site, tag, because);
      const after = gone.map((entry) => entry.ref);
      return [...gone, ...rule, ...withoutRamping(site, tag, ref), ...scaled(plan, ref, after)];
    }
    case "delete":
      return ofTag(site, tag).map((object) => remove(object.ref, because));
  }
}

function scaled({ scaleTo }: EndingPlan, ref: Ref, after: readonly Ref[]): readonly Entry[] {
  return scaleTo === undefined ? [] : [scale(ref, scaleTo, after)];
}

/** These would raise what is scaled to zero; an HPA rests there. */
function queueScalers({ app, owned }: RevisionSite, tag: string): readonly Ref[] {
  return [WorkerPodAutoScaler, ScaledObject, TriggerAuthentication]
    .map((kind) => ({ kind, namespace: app.namespace, name: tag }))
    .filter((ref) => owned.find(ref));
}

/** The ramp is over, whatever ended it: our other fields are applied again, the annotation is not (§6.9-10). */
function withoutRamping({ app, owned }: RevisionSite, tag: string, ref: Ref<ReplicaSet>): readonly Entry[] {
  const live = owned.find(ref) as ReplicaSet | undefined;
  if (live?.metadata.annotations?.[keys.ramping] === undefined) return [];
  const { [keys.autoscaler]: autoscaler, [keys.iamRole]: role } = live.metadata.annotations;
  const annotations = filled({ [keys.autoscaler]: autoscaler, [keys.iamRole]: role });
  const { minReadySeconds } = live.spec;
  const object = {
    apiVersion: live.apiVersion,
    kind: live.kind,
    metadata: { name: tag, namespace: app.namespace, labels: incarnationLabels(app, tag), annotations },
    ...(minReadySeconds ? { spec: { minReadySeconds } } : {}),
  };
  return [apply(ref, object)];
}

/** Configs that a ReplicaSet of another tag still reads stay. */
function ofTag({ app, owned }: RevisionSite, tag: string): readonly OwnedObject[] {
  const read = configsRead(owned.all.filter(({ object }) => tagOf(object) !== tag));
  return owned.all.filter(
    ({ ref, object }) => object.metadata.namespace === app.namespace && tagOf(object) === tag && !isRead(ref, read),
  );
}

export function isConfig(ref: Ref): boolean {
  return isKind(ref, Secret, ConfigMap, ExternalSecret);
}

function isRead(ref: Ref, read: ReadonlySet<string>): boolean {
  return isConfig(ref) && read.has(ref.name);
}

/** Names of the Secrets and ConfigMaps that the ReplicaSets' containers get their environment from. */
export function configsRead(objects: readonly OwnedObject[]): ReadonlySet<string> {
  const replicaSets = objects.filter(({ ref }) => isKind(ref, ReplicaSet)).map(({ object }) => object as ReplicaSet);
  const containers = replicaSets.flatMap(({ spec }) => spec?.template?.spec?.containers ?? []);
  const sources = containers.flatMap(({ envFrom = [] }) => envFrom);
  return new Set(sources.flatMap(({ secretRef, configMapRef }) => secretRef?.name ?? configMapRef?.name ?? []));
}
