import { goKind } from "../schema/go-format.ts";
import { isObject, type JsonObject, own, put } from "../schema/json.ts";
import { PatchError } from "./patch-error.ts";

/** RFC 7386 as the server does it. Throws PatchError. Shares what the patch leaves alone; modifies neither. */
export function jsonMergePatch(target: JsonObject, patch: unknown): JsonObject {
  if (patch === null) throw new PatchError(400, "Invalid JSON Patch");
  if (!isObject(patch)) {
    const type = "map[string]interface {}";
    throw new PatchError(
      400,
      `error decoding patch: json: cannot unmarshal ${goKind(patch)} into Go value of type ${type}`,
    );
  }
  return mergeObjects(target, patch);
}

function mergeObjects(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = { ...target };
  for (const key of Object.keys(patch)) {
    const change = patch[key];
    if (change === null) delete merged[key];
    else put(merged, key, mergeValues(own(merged, key), change));
  }
  return merged;
}

function mergeValues(target: unknown, patch: unknown): unknown {
  if (!isObject(target)) return withoutNulls(patch);
  return isObject(patch) ? mergeObjects(target, patch) : patch;
}

/** Nulls say "remove": where there was nothing, they have nothing to say. Those in lists stay. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const kept: JsonObject = {};
  for (const key of Object.keys(value)) {
    if (value[key] !== null) put(kept, key, withoutNulls(value[key]));
  }
  return kept;
}
