import type { JsonObject } from "../schema/json.ts";
import type { SchemaNode } from "../schema/schema-node.ts";
import { PatchError } from "./patch-error.ts";

/** Throws PatchError. Shares what the patch leaves alone with live. */
export function strategicMergePatch(_live: JsonObject, _patch: JsonObject, _schema: SchemaNode): JsonObject {
  throw new PatchError(500, "not implemented");
}
