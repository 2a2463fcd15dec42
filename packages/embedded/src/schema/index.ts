export type { Cause, CauseReason } from "./cause.ts";
export { applyDefaults } from "./defaults.ts";
export { equalJson, isObject, type JsonObject, own } from "./json.ts";
export { type ParsedJson, parseJson } from "./parse-json.ts";
export { type Pruned, prune } from "./prune.ts";
export { openApiReader } from "./read-openapi.ts";
export { type CustomResourceSchema, readStructural } from "./read-structural.ts";
export type { CelRule, SchemaNode, SchemaType } from "./schema-node.ts";
export { validate } from "./validate.ts";
