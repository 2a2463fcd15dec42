import { isEqualJson, type KubeObject } from "@chaski/kube";

/** Whether an update left everything equal that the cache keeps, the version stamps aside. */
export function isSameProjection(old: Readonly<KubeObject>, object: Readonly<KubeObject>): boolean {
  if (old === object) return true;
  const { metadata: oldMetadata, ...oldRest } = old;
  const { metadata, ...rest } = object;
  return isEqualJson(oldRest, rest) && isEqualJson(unstamped(oldMetadata), unstamped(metadata));
}

function unstamped(metadata: KubeObject["metadata"]): object {
  const { resourceVersion: _version, managedFields: _managers, ...rest } = metadata;
  return rest;
}
