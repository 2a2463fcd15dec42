import { type Key, type Kind, type KubeObject, keyOf, type Ref, resourceName } from "@chaski/kube";

/** Names who brought the object about, and the object itself, so that a copy of the annotation claims nothing. */
export const OWNER_ANNOTATION = "chaski.dev/owner";
/** The delivery cluster's name: what a cache of the objects that we own is restricted by. Claims nothing. */
export const MANAGED_BY_LABEL = "chaski.dev/managed-by";
/** The index of caches by owner. */
export const OWNER_INDEX = "chaski.dev/owner";

export interface Owner {
  /** The cluster on which the owner lives. */
  readonly delivery: string;
  readonly controller: string;
  /** `namespace/name`. */
  readonly key: string;
}

export function ownerAnnotation(owner: Owner, ref: Ref): string {
  return `${ownerIndexValue(owner)} ${selfOf(ref.kind, ref)}`;
}

/** Whose object it is; undefined if the annotation is missing, unreadable or names another object. */
export function ownerOf(kind: Kind, object: Readonly<KubeObject>): Owner | undefined {
  const parts = object.metadata.annotations?.[OWNER_ANNOTATION]?.split(" ") ?? [];
  const [delivery, controller, key, self] = parts;
  if (parts.length !== 4 || !delivery || !controller || !key) return undefined;
  return self === selfOf(kind, object.metadata) ? { delivery, controller, key } : undefined;
}

export function isOwnedBy(owner: Owner, kind: Kind, object: Readonly<KubeObject>): boolean {
  const found = ownerOf(kind, object);
  return found !== undefined && ownerIndexValue(found) === ownerIndexValue(owner);
}

/** The function behind OWNER_INDEX of a kind's cache. */
export function ownerIndex(kind: Kind): (object: Readonly<KubeObject>) => readonly string[] {
  return (object) => {
    const owner = ownerOf(kind, object);
    return owner ? [ownerIndexValue(owner)] : [];
  };
}

export function ownerIndexValue({ delivery, controller, key }: Owner): string {
  return `${delivery} ${controller} ${key}`;
}

/** By resource, not by version: the object stays itself when it is read in another one. */
function selfOf(kind: Kind, key: Key): string {
  return `${resourceName(kind)}:${keyOf(key)}`;
}
