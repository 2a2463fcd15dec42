import type { Api } from "../request/api.ts";
import { GarbageCollector } from "./garbage-collector.ts";
import { NamespaceDrain } from "./namespace-drain.ts";
import { NodeTaints } from "./node-taints.ts";

/** What the controller manager does for every cluster, whatever runs on it. */
export function startControllers(api: Api): readonly object[] {
  return [new GarbageCollector(api), new NamespaceDrain(api), new NodeTaints(api)];
}
