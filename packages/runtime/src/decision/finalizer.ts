import { type Kind, type KubeObject, refTo } from "@chaski/kube";
import type { ObjectPatch } from "./decision.ts";

/** Gives the object our finalizer or takes it away; the finalizers of others stay. Nothing, where all is as wanted. */
export function finalizerPatches(
  kind: Kind,
  object: KubeObject,
  finalizer: string,
  isWanted: boolean,
): readonly ObjectPatch[] {
  const { finalizers = [], resourceVersion = "" } = object.metadata;
  if (finalizers.includes(finalizer) === isWanted) return [];
  const others = finalizers.filter((each) => each !== finalizer);
  const patch = { metadata: { finalizers: isWanted ? [...others, finalizer] : others } };
  return [{ ref: refTo(kind, object), resourceVersion, patch }];
}
