import type { Kind, KubeObject } from "@chaski/kube";
import type { CacheOptions } from "../cache/cache.ts";
import type { Place } from "./place.ts";

/** A cache that controllers read: one per kind and cluster, wide enough for all of them. */
export interface CacheDeclaration {
  readonly kind: Kind;
  readonly on: Place;
  readonly options: CacheOptions<KubeObject>;
}
