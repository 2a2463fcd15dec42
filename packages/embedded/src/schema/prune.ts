import { isObject, type JsonObject, put } from "./json.ts";
import type { SchemaNode } from "./schema-node.ts";

export interface Pruned<T> {
  readonly value: T;
  /** Paths as in `unknown field "spec.replica"`, in the server's order. */
  readonly unknownFields: readonly string[];
}

/** The value without the fields that the schema does not know. Shares what stays. */
export function prune<T>(schema: SchemaNode, value: T): Pruned<T> {
  const pruning = new Pruning();
  const kept = pruning.visit(schema, value, "") as T;
  return { value: kept, unknownFields: pruning.unknown.toSorted() };
}

class Pruning {
  readonly unknown: string[] = [];

  visit(schema: SchemaNode | undefined, value: unknown, path: string): unknown {
    if (Array.isArray(value)) return this.#visitList(schema, value, path);
    return isObject(value) ? this.#visitMap(schema, value, path) : value;
  }

  #visitList(schema: SchemaNode | undefined, value: readonly unknown[], path: string): readonly unknown[] {
    // Nothing is known of the items: only an explicit "preserve" keeps what is in them.
    if (schema?.items === undefined && preserves(schema)) return value;
    const kept = value.map((item, i) => this.visit(schema?.items, item, `${path}[${i}]`));
    return kept.every((item, i) => item === value[i]) ? value : kept;
  }

  #visitMap(schema: SchemaNode | undefined, value: JsonObject, path: string): JsonObject {
    let kept: JsonObject | undefined;
    for (const key of Object.keys(value)) {
      const at = path === "" ? key : `${path}.${key}`;
      const before = value[key];
      const after = this.#visitField(schema, key, { value: before, path: at });
      if (after === before) continue;
      kept ??= { ...value };
      if (after === undefined) delete kept[key];
      else put(kept, key, after);
    }
    return kept ?? value;
  }

  /** Undefined: the field goes. */
  #visitField(schema: SchemaNode | undefined, key: string, field: { value: unknown; path: string }): unknown {
    const known = schema?.properties?.get(key);
    const rest = schema?.additionalProperties;
    if (known !== undefined) return this.visit(known, field.value, field.path);
    if (typeof rest === "object") return this.visit(rest, field.value, field.path);
    if (rest === true || preserves(schema)) return field.value;
    this.unknown.push(field.path);
    return undefined;
  }
}

/** OpenAPI has free-form objects (`type: object` alone) in built-in definitions; custom resources have to say so. */
function preserves(schema: SchemaNode | undefined): boolean {
  if (schema === undefined) return false;
  if (schema.preservesUnknown === true) return true;
  return schema.name !== undefined && schema.properties === undefined && schema.additionalProperties === undefined;
}
