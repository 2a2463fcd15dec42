// What a release has on its clusters, and how much of it the caches keep.
import { releaseKeys } from "@chaski/api";
import { ConfigMap, defined, type Kind, type KubeObject, ReplicaSet, resourceName, Secret } from "@chaski/kube";
import { type CacheOptions, MANAGED_BY_LABEL, type OwnedKind } from "@chaski/runtime";
import { coreKinds, DestinationRule, optionalKinds, VirtualService } from "../objects/kinds.ts";

/** Read by what they are, not by whose: another operator may have made them before we came. */
const OBSERVED: ReadonlyMap<string, string> = new Map([
  [resourceName(ReplicaSet), releaseKeys.labels.tag],
  [resourceName(VirtualService), releaseKeys.labels.app],
  [resourceName(DestinationRule), releaseKeys.labels.app],
]);

/** Their content is nobody's to look at. */
const CONTENTS: readonly string[] = [Secret, ConfigMap].map(resourceName);

export const ownedKinds: readonly OwnedKind[] = [...coreKinds, ...optionalKinds].map((kind) => ({
  kind,
  on: "remotes",
  cache: cacheOf(kind),
}));

/** Whoever watches the kind there has to say the same: caches are as wide as the widest wish. */
export function cacheOf(kind: Kind): CacheOptions<KubeObject> {
  const name = resourceName(kind);
  const labelSelector = OBSERVED.get(name) ?? MANAGED_BY_LABEL;
  if (CONTENTS.includes(name)) return { labelSelector, isMetadataOnly: true };
  return { labelSelector, transform: name === resourceName(ReplicaSet) ? slimReplicaSet : withoutStatus };
}

/** Autoscalers report all the time; nobody here reads it. */
function withoutStatus(object: KubeObject): KubeObject {
  const { status: _status, ...rest } = object as KubeObject & { readonly status?: unknown };
  return rest;
}

/** How many there are, how many can serve, and which configs they read. */
function slimReplicaSet(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, spec, status } = object as ReplicaSet;
  const containers = (spec?.template?.spec?.containers ?? []).map(({ name, envFrom = [] }) => ({ name, envFrom }));
  const { availableReplicas = 0, replicas = 0 } = status ?? {};
  const slim: ReplicaSet = {
    apiVersion,
    kind,
    metadata,
    spec: { selector: {}, ...defined({ replicas: spec?.replicas }), template: { spec: { containers } } },
    status: { replicas, availableReplicas },
  };
  return slim;
}
