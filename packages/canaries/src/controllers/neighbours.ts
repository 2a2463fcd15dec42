// Whatever stands in a Canary's way lives in its namespace.
import { Canary } from "@chaski/api";
import { HorizontalPodAutoscaler, isTrue, type Kind, type KubeObject, keyOf } from "@chaski/kube";
import { type Caches, type WakeRule, wake } from "@chaski/runtime";

/** A change of this kind is worth another look of those Canaries of the namespace that stall. */
export function stalledNeighbours<T extends KubeObject>(kind: Kind<T>): WakeRule {
  return wake({
    kind,
    on: "delivery",
    keys: ({ metadata }, { caches }) =>
      canariesBeside(metadata, caches)
        .filter(({ status }) => isTrue(status?.conditions, "Stalled"))
        .map(({ metadata: canary }) => keyOf(canary)),
  });
}

/** An autoscaler that comes, goes or turns to another target; its ordinary scaling wakes nobody. */
export const autoscalersBeside: WakeRule = wake({
  kind: HorizontalPodAutoscaler,
  on: "delivery",
  keys: ({ metadata }, { caches }) => canariesBeside(metadata, caches).map(({ metadata: canary }) => keyOf(canary)),
  isRelevant: (old, object) => old.spec.scaleTargetRef.name !== object.spec.scaleTargetRef.name,
});

function canariesBeside({ namespace = "", uid }: KubeObject["metadata"], caches: Caches): readonly Canary[] {
  const canaries = caches.of(Canary).inNamespace(namespace).list();
  return canaries.filter(({ metadata }) => metadata.uid !== uid);
}
