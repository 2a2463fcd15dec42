export type { FieldRule, FieldRules } from "./field-rule.ts";
export type * from "./generated/index.ts";
export * from "./generated/kinds.ts";
export {
  apiVersionOf,
  defineKind,
  describeRef,
  type Key,
  type Kind,
  keyOf,
  type ObjectOf,
  parseKey,
  type Ref,
  refTo,
  resourceName,
} from "./kind.ts";
export type {
  Condition,
  KubeList,
  KubeObject,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
} from "./object.ts";
export type { Transport, TransportRequest, TransportResponse } from "./transport.ts";
