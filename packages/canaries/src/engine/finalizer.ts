import { type Canary, CANARY_GROUP, Canary as CanaryKind, type CanaryStatus, type deletionPolicies } from "@chaski/api";
import { refTo } from "@chaski/kube";
import { type Decision, decision, type ObjectPatch } from "@chaski/runtime/decision";

export const RETAIN_FINALIZER = `${CANARY_GROUP}/retain`;

/** Retain needs its finalizer before anything is touched, Delete must not have it. Undefined when all is as it should be. */
export function finalizerPatch(
  canary: Canary,
  policy: (typeof deletionPolicies)[number],
): Decision<CanaryStatus> | undefined {
  const finalizers = canary.metadata.finalizers ?? [];
  const isThere = finalizers.includes(RETAIN_FINALIZER);
  if (isThere === (policy === "Retain")) return undefined;
  return decision({
    patches: [isThere ? withoutFinalizer(canary) : withFinalizers(canary, [...finalizers, RETAIN_FINALIZER])],
  });
}

export function withoutFinalizer(canary: Canary): ObjectPatch {
  return withFinalizers(
    canary,
    (canary.metadata.finalizers ?? []).filter((finalizer) => finalizer !== RETAIN_FINALIZER),
  );
}

function withFinalizers(canary: Canary, finalizers: readonly string[]): ObjectPatch {
  const { resourceVersion = "" } = canary.metadata;
  return { ref: refTo(CanaryKind, canary), resourceVersion, patch: { metadata: { finalizers } } };
}
