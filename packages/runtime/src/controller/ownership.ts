import type { KubeObject } from "@chaski/kube";
import type { Caches } from "../cache/cache.ts";
import type { OwnedKind } from "./controller.ts";

export interface OwnerName {
  readonly controller: string;
  /** `namespace/name` of the owner on the delivery cluster. */
  readonly key: string;
}

/** Whom an object names as its owner, provided that it also names itself: a copy is nobody's. */
export type OwnerOf = (object: Readonly<KubeObject>) => OwnerName | undefined;

/** The index that every owned kind has: owners by name. */
export const OWNER_INDEX = "chaski.dev/owner";

export function ownerIndexValue({ controller, key }: OwnerName): string {
  return `${controller}:${key}`;
}

/** What the owner owns there, over all kinds that its controller owns. */
export function listOwned(caches: Caches, kinds: readonly OwnedKind[], owner: OwnerName): readonly KubeObject[] {
  return kinds.flatMap(({ kind }) => caches.of(kind).byIndex(OWNER_INDEX, ownerIndexValue(owner)));
}
