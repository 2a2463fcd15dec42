import { isObject, type JsonObject, own } from "./json.ts";
import { type MutableNode, readInto } from "./read-node.ts";
import type { SchemaNode } from "./schema-node.ts";

const prefix = "#/components/schemas/";

/**
 * Reads definitions (`components.schemas` of OpenAPI v3 documents, of one or of several merged) on demand:
 * a definition is read when it is first asked for.
 */
export function openApiReader(definitions: JsonObject): (name: string) => SchemaNode | undefined {
  const named = new Map<string, MutableNode>();
  // A property may refer to a type and say more about it. The type may be half read then, so these are joined last.
  const pending: { node: MutableNode; target: SchemaNode }[] = [];

  function definition(name: string): SchemaNode | undefined {
    const known = named.get(name);
    if (known !== undefined) return known;
    const json = own(definitions, name);
    if (!isObject(json)) return undefined;
    const node: MutableNode = { name };
    named.set(name, node);
    readInto(node, json, child);
    return node;
  }

  function child(json: JsonObject): SchemaNode {
    const target = targetOf(json);
    const referred = target === undefined ? undefined : definition(target);
    const { allOf: _allOf, $ref: _ref, ...more } = json;
    if (referred === undefined) return read(json);
    const node = read(more);
    if (Object.keys(node).length === 0) return referred;
    pending.push({ node, target: referred });
    return node;
  }

  function read(json: JsonObject): MutableNode {
    const node: MutableNode = {};
    readInto(node, json, child);
    return node;
  }

  return (name) => {
    const node = definition(name);
    for (const { node, target } of pending.splice(0)) Object.assign(node, { ...target, ...node });
    return node;
  };
}

function targetOf(json: JsonObject): string | undefined {
  const [only, ...others] = Array.isArray(json["allOf"]) ? json["allOf"] : [];
  const ref = json["$ref"] ?? (others.length === 0 && isObject(only) ? only["$ref"] : undefined);
  return typeof ref === "string" && ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined;
}
