import type { JsonObject } from "../schema/json.ts";
import type { Store } from "../storage/store.ts";
import { numberAt, objectAt, stringAt } from "../schema/fields.ts";
import { isEmptySelector, selects } from "./label-selectors.ts";

/** Why the pod may not be evicted now; undefined: it may. */
export function budgetAgainstEviction(store: Store, pod: JsonObject): string | undefined {
  const namespace = stringAt(pod, "metadata", "namespace");
  const labels = objectAt(pod, "metadata", "labels") ?? {};
  for (const { object } of store.collection("policy/poddisruptionbudgets").list(`${namespace}/`)) {
    const selector = objectAt(object, "spec", "selector");
    if (!selector || (!isEmptySelector(selector) && !selects(selector, labels))) continue;
    const allowed = numberAt(object, "status", "disruptionsAllowed") ?? 0;
    if (allowed > 0) continue;
    const [healthy, desired] = [
      numberAt(object, "status", "currentHealthy") ?? 0,
      numberAt(object, "status", "desiredHealthy") ?? 0,
    ];
    return `The disruption budget ${stringAt(object, "metadata", "name")} needs ${desired} healthy pods and has ${healthy} currently`;
  }
  return undefined;
}
