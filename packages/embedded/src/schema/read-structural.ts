import type { JsonObject } from "./json.ts";
import type { SchemaNode } from "./schema-node.ts";

/** `objectMeta` is the built-in type of metadata. Undefined schema: any object, nothing pruned. */
export function readStructural(_openApiV3Schema: JsonObject | undefined, objectMeta: SchemaNode): SchemaNode {
  return objectMeta;
}
