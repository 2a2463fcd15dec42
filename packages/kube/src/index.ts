export { type ConditionClaim, findCondition, isTrue, setConditions } from "./conditions.ts";
export { type Defined, defined } from "./defined.ts";
export { type Disagreement, findDisagreement } from "./disagreement.ts";
export { formatDuration, parseDuration, parseDurationNanos } from "./duration.ts";
export { semanticallyEqual } from "./equality.ts";
export { isEqualJson } from "./equal-json.ts";
export type { FieldRule, FieldRules } from "./field-rule.ts";
export { type FieldRequirement, formatFieldSelector, matchesFields, parseFieldSelector } from "./field-selector.ts";
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
export {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from "./names.ts";
export type {
  Condition,
  KubeList,
  KubeObject,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
} from "./object.ts";
export {
  compareQuantities,
  formatQuantity,
  normalizeQuantity,
  parseQuantity,
  type Quantity,
  roundUpToMilli,
} from "./quantity.ts";
export type { LabelOperator, LabelRequirement } from "./requirement.ts";
export type { Result } from "./result.ts";
export type { ComparedAs } from "./ruling.ts";
export {
  formatLabelSelector,
  type LabelRequirements,
  matchesLabels,
  parseLabelSelector,
  readLabelSelector,
} from "./selector.ts";
export { contentHash, stableJson } from "./stable-json.ts";
export { formatMicroTime, formatTimestamp, parseTimestamp, timeMs } from "./timestamp.ts";
export type { Transport, TransportRequest, TransportResponse } from "./transport.ts";
