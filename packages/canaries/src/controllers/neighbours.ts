// Whatever stands in a Canary's way lives in its namespace.
import { Canary } from "@chaski/api";
import { HorizontalPodAutoscaler, type Kind, type KubeObject, keyOf } from "@chaski/kube";
import { type WakeRule, wake } from "@chaski/runtime";
import { AUTOSCALER_INDICES, BY_DEPLOYMENT, BY_TARGET, STALLED } from "./indices.ts";

/** A change of this kind is worth another look of those Canaries of the namespace that stall. */
export function stalledNeighbours<T extends KubeObject>(kind: Kind<T>): WakeRule {
  return wake({
    kind,
    on: "delivery",
    keys: ({ metadata: { namespace = "", uid } }, { caches }) =>
      caches
        .of(Canary)
        .byIndex(STALLED, namespace)
        .filter(({ metadata }) => metadata.uid !== uid)
        .map(({ metadata }) => keyOf(metadata)),
  });
}

/** An autoscaler that comes, goes or turns to another target; its ordinary scaling wakes nobody. */
export const autoscalersBeside: WakeRule = wake({
  kind: HorizontalPodAutoscaler,
  on: "delivery",
  keys: (autoscaler, { caches }) =>
    AUTOSCALER_INDICES[BY_TARGET](autoscaler)
      .flatMap((target) => caches.of(Canary).byIndex(BY_DEPLOYMENT, target))
      .map(({ metadata }) => keyOf(metadata)),
  isRelevant: (old, object) => old.spec.scaleTargetRef.name !== object.spec.scaleTargetRef.name,
  cache: { indices: AUTOSCALER_INDICES },
});
