import type { SchemaNode } from "../schema/schema-node.ts";

export type Scalar = "numeric" | "string" | "boolean" | "untyped";

/** How values of a type are merged. A value may be allowed to be a scalar, a list or a map; its form then decides. */
export interface MergeType {
  readonly scalar?: Scalar;
  readonly list?: ListType;
  readonly map?: MapType;
}

export interface ListType {
  /** Items have an identity: by their keys, or by value where there are no keys. Otherwise the list is one value. */
  readonly isAssociative: boolean;
  readonly keys: readonly string[];
  readonly element: () => MergeType;
  /** The default of a key field that an item lacks. */
  readonly keyDefault: (key: string) => unknown;
}

export interface MapType {
  readonly isAtomic: boolean;
  readonly isField: (key: string) => boolean;
  /** Undefined: the schema does not declare such a field. */
  readonly typeOf: (key: string) => MergeType | undefined;
  /** Free-form without a declared field. */
  readonly isDeduced: () => boolean;
}

const untyped: MergeType = {
  scalar: "untyped",
  list: { isAssociative: false, keys: [], element: () => untyped, keyDefault: () => undefined },
  map: { isAtomic: true, isField: () => false, typeOf: () => untyped, isDeduced: () => false },
};

/** Types without a schema: maps are merged field by field, lists are one value. */
const deduced: MergeType = {
  scalar: "untyped",
  list: { isAssociative: false, keys: [], element: () => untyped, keyDefault: () => undefined },
  map: { isAtomic: false, isField: () => false, typeOf: () => deduced, isDeduced: () => true },
};

const known = { pruning: new WeakMap<SchemaNode, MergeType>(), preserving: new WeakMap<SchemaNode, MergeType>() };

/** `isPreserving`: an ancestor within the same definition preserves unknown fields. */
export function mergeTypeOf(node: SchemaNode, isPreserving = false): MergeType {
  const preserves = (node.name === undefined && isPreserving) || node.preservesUnknown === true;
  const cache = preserves ? known.preserving : known.pruning;
  const found = cache.get(node);
  if (found !== undefined) return found;
  const type = readType(node, preserves);
  cache.set(node, type);
  return type;
}

// Definitions whose schema does not say how they are merged.
const special: Readonly<Record<string, MergeType>> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": { scalar: "untyped" },
  "io.k8s.apimachinery.pkg.runtime.RawExtension": untyped,
};

function readType(node: SchemaNode, preserves: boolean): MergeType {
  if (node.name !== undefined && Object.hasOwn(special, node.name)) return special[node.name] ?? untyped;
  if (node.type === undefined) {
    return { scalar: "untyped", list: readList(node, preserves), map: readMap(node, preserves) };
  }
  if (node.type === "object") return { map: readMap(node, preserves) };
  if (node.type === "array") return { list: readList(node, preserves) };
  return { scalar: scalarOf(node) };
}

function scalarOf({ type, format }: SchemaNode): Scalar {
  if (type === "integer" || type === "number") return "numeric";
  if (type === "boolean") return "boolean";
  return format === undefined || format === "byte" ? "string" : "untyped";
}

function readMap(node: SchemaNode, preserves: boolean): MapType {
  const fields = node.properties;
  const element = elementOf(node, preserves);
  return {
    isAtomic: node.mapType === "atomic",
    isField: (key) => fields?.has(key) === true,
    typeOf: (key) => {
      const field = fields?.get(key);
      return field === undefined ? element?.() : mergeTypeOf(field, preserves);
    },
    isDeduced: () => (fields === undefined || fields.size === 0) && element?.().scalar === "untyped",
  };
}

function elementOf(node: SchemaNode, preserves: boolean): (() => MergeType) | undefined {
  const rest = node.additionalProperties;
  if (typeof rest === "object") return () => mergeTypeOf(rest, preserves);
  if (rest === true) return () => deduced;
  if (rest === false) return undefined;
  return preserves || node.properties === undefined || node.properties.size === 0 ? () => deduced : undefined;
}

function readList(node: SchemaNode, preserves: boolean): ListType {
  const { items } = node;
  return {
    ...relationshipOf(node),
    element: () => (items === undefined ? untyped : mergeTypeOf(items, preserves)),
    keyDefault: (key) => items?.properties?.get(key)?.default,
  };
}

function relationshipOf(node: SchemaNode): Pick<ListType, "isAssociative" | "keys"> {
  if (node.listType !== undefined) {
    return { isAssociative: node.listType !== "atomic", keys: node.listType === "map" ? (node.listMapKeys ?? []) : [] };
  }
  if (!node.patchStrategy?.includes("merge")) return { isAssociative: false, keys: [] };
  return { isAssociative: true, keys: node.patchMergeKey === undefined ? [] : [node.patchMergeKey] };
}

export type Form = "map" | "scalar" | "list";

/** How the type treats the value; a form that the type does not allow is treated as the type's own. */
export function formOf(type: MergeType, value: unknown): Form {
  const form = ownForm(value);
  if (form !== undefined && type[form] !== undefined) return form;
  if (type.map !== undefined) return "map";
  return type.scalar === undefined ? "list" : "scalar";
}

function ownForm(value: unknown): Form | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== "object") return "scalar";
  return Array.isArray(value) ? "list" : "map";
}
