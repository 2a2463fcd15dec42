import type { JsonObject } from "./json.ts";
import type { SchemaNode } from "./schema-node.ts";

/**
 * Reads definitions (`components.schemas` of OpenAPI v3 documents, of one or of several merged) on demand:
 * a definition is read when it is first asked for.
 */
export function openApiReader(_definitions: JsonObject): (name: string) => SchemaNode | undefined {
  return () => undefined;
}
