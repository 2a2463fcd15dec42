import { type KubeObject, keyOf } from "@chaski/kube";

/** Names who brought the object about, and the object itself, so that a copy of the annotation claims nothing. */
export const OWNER_ANNOTATION = "chaski.dev/owner";
/** The delivery cluster's name: what a cache of the objects that we own is restricted by. Claims nothing. */
export const MANAGED_BY_LABEL = "chaski.dev/managed-by";

export interface Owner {
  /** The cluster on which the owner lives. */
  readonly delivery: string;
  readonly controller: string;
  /** `namespace/name`. */
  readonly key: string;
}

export function ownerAnnotation({ delivery, controller, key }: Owner, object: Readonly<KubeObject>): string {
  return `${delivery} ${controller} ${key} ${selfOf(object)}`;
}

/** Whose object it is; undefined if the annotation is missing, unreadable or names another object. */
export function ownerOf(object: Readonly<KubeObject>): Owner | undefined {
  const parts = object.metadata.annotations?.[OWNER_ANNOTATION]?.split(" ") ?? [];
  const [delivery, controller, key, self] = parts;
  if (parts.length !== 4 || !delivery || !controller || !key) return undefined;
  return self === selfOf(object) ? { delivery, controller, key } : undefined;
}

export function isOwnedBy({ delivery, controller, key }: Owner, object: Readonly<KubeObject>): boolean {
  const found = ownerOf(object);
  return found?.delivery === delivery && found.controller === controller && found.key === key;
}

/** By group and kind, not by version: the object stays itself when it is read in another one. */
function selfOf({ apiVersion, kind, metadata }: Readonly<KubeObject>): string {
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : `.${apiVersion.slice(0, slash)}`;
  return `${kind}${group}:${keyOf(metadata)}`;
}
