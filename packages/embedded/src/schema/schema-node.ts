export type SchemaType = "object" | "array" | "string" | "integer" | "number" | "boolean";

/** One rule of `x-kubernetes-validations`. */
export interface CelRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/**
 * A type, as far as the server has to know it. References are resolved: a recursive type is a cycle in memory.
 * Nodes are immutable once read, so whatever is derived from one may be kept in a WeakMap.
 */
export interface SchemaNode {
  /** The definition's name, for types that OpenAPI documents refer to. */
  readonly name?: string;
  readonly type?: SchemaType;
  readonly format?: string;
  readonly properties?: ReadonlyMap<string, SchemaNode>;
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly listType?: "atomic" | "set" | "map";
  readonly listMapKeys?: readonly string[];
  readonly mapType?: "atomic" | "granular";
  readonly patchStrategy?: readonly string[];
  readonly patchMergeKey?: string;
  readonly isIntOrString?: boolean;
  readonly preservesUnknown?: boolean;
  readonly isEmbeddedResource?: boolean;
  readonly isNullable?: boolean;
  /** Undefined: no default. */
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly isMinimumExclusive?: boolean;
  readonly isMaximumExclusive?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly hasUniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly rules?: readonly CelRule[];
}
