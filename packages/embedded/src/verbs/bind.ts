import { objectsAt } from "../schema/fields.ts";
import { formatTime } from "../codec/times.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Api } from "../request/api.ts";
import type { Stored } from "../storage/stored.ts";

const PODS = "/pods";

/** Puts the pod on the node and says that it is scheduled; nobody manages what this writes. */
export function bindPod({ store, clock }: Pick<Api, "store" | "clock">, { key, object }: Stored, node: string): void {
  const status = object["status"] as JsonObject;
  const scheduled = {
    type: "PodScheduled",
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: formatTime(clock.now()),
  };
  const others = objectsAt(status, "conditions").filter(({ type }) => type !== "PodScheduled");
  const bound = {
    ...object,
    spec: { ...(object["spec"] as JsonObject), nodeName: node },
    status: { ...status, conditions: [...others, scheduled] },
  };
  store.put({ collection: PODS, key, object: bound });
}
