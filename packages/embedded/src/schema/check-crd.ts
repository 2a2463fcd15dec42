import type { Cause } from "./cause.ts";
import type { JsonObject } from "./json.ts";

/** What the server has against a CustomResourceDefinition: names, versions, structural schemas, CEL rules. */
export function checkCrd(_crd: JsonObject, _previous?: JsonObject): Cause[] {
  return [];
}
