export {
  type OperatorConfig,
  operatorConfigJsonSchema,
  type ParsedOperatorConfig,
  parseOperatorConfig,
} from "./operator-config.ts";
export { describeProblems, type Problem } from "./schema/problem.ts";
export {
  type CelRule,
  crdOf,
  type PrinterColumn,
  type Resource,
  type ResourceDefinition,
  type ResourceObject,
} from "./schema/resource.ts";
export { type StructuralSchema, structuralSchema } from "./schema/structural.ts";
export * from "./canary/canary.ts";
export * from "./canary/keys.ts";
export { lintCanary } from "./canary/lint.ts";
export { type Parsed, parseCanary } from "./canary/parse.ts";
export type {
  BatchRequest,
  CanaryRequest,
  ContainerRequest,
  NormalRequest,
  RollbackRequest,
} from "./canary/request.ts";
export * from "./releases/index.ts";
