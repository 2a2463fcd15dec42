import { keyOf, type Kind, type KubeObject, type Ref, resourceName } from "@chaski/kube";
import { refOf } from "../kinds.ts";

/** What a cluster has of a release, found by reference. */
export interface Owned {
  readonly all: readonly OwnedObject[];
  find(ref: Ref): KubeObject | undefined;
  has(key: string): boolean;
}

export interface OwnedObject {
  readonly ref: Ref;
  readonly key: string;
  readonly object: KubeObject;
}

/** Objects of kinds that a release never writes are left out. */
export function ownedIndex(objects: readonly KubeObject[]): Owned {
  const all = objects.flatMap((object) => {
    const ref = refOf(object);
    return ref ? [{ ref, object, key: refKey(ref) }] : [];
  });
  const byKey = new Map(all.map(({ key, object }) => [key, object]));
  return { all, find: (ref) => byKey.get(refKey(ref)), has: (key) => byKey.has(key) };
}

export function refKey(ref: Ref): string {
  return `${resourceName(ref.kind)}/${keyOf(ref)}`;
}

export function isKind(ref: Ref, ...kinds: readonly Kind[]): boolean {
  return kinds.some((kind) => resourceName(kind) === resourceName(ref.kind));
}
