import type { Api } from "../server/api.ts";
import { GarbageCollector } from "./garbage-collector.ts";
import { NamespaceDrain } from "./namespace-drain.ts";

/** What the controller manager does for every cluster, whatever runs on it. */
export function startControllers(api: Api): { readonly collector: GarbageCollector; readonly drain: NamespaceDrain } {
  return { collector: new GarbageCollector(api), drain: new NamespaceDrain(api) };
}
