import type { Cause } from "./cause.ts";
import type { SchemaNode } from "./schema-node.ts";

/** What the schema says against the value, in the order and words of the server. CEL rules are not part of it. */
export function validate(_schema: SchemaNode, _value: unknown, _path = ""): Cause[] {
  return [];
}
