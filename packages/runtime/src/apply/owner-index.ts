import type { KubeObject } from "@chaski/kube";
import { type Owner, ownerOf } from "./ownership.ts";

/** The index that the cache of every owned kind has: objects by owner. */
export const OWNER_INDEX = "chaski.dev/owner";

export function ownerIndexValue({ delivery, controller, key }: Owner): string {
  return `${delivery} ${controller} ${key}`;
}

export function ownerIndex(object: Readonly<KubeObject>): readonly string[] {
  const owner = ownerOf(object);
  return owner ? [ownerIndexValue(owner)] : [];
}
