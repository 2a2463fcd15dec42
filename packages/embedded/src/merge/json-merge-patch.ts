import { isObject, type JsonObject, own, put } from "../schema/json.ts";

/** RFC 7386. Shares what the patch leaves alone with the target; modifies neither. */
export function jsonMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: JsonObject = isObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    const change = patch[key];
    if (change === null) delete merged[key];
    else put(merged, key, jsonMergePatch(own(merged, key), change));
  }
  return merged;
}
