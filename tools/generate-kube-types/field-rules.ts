import { referenceOf, type Schema } from "./schema.ts";
import { type Generation, header } from "./types.ts";

const quantity = "io.k8s.apimachinery.pkg.api.resource.Quantity";
const labelSelector = "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector";

interface Rule {
  map?: true;
  /** A map that belongs as a whole to who sets it. */
  whole?: true;
  quantity?: "nano" | "milli";
  set?: true;
  keys?: readonly string[];
  keyDefaults?: Readonly<Record<string, unknown>>;
  type?: string;
}

/** field-rules.ts: how fields are compared, for those types where plain JSON would be wrong somewhere below. */
export function writeFieldRules(generation: Generation): string {
  const types = [...typesWithRules(generation)].map(([type, rules]) => `  ${type}: ${JSON.stringify(rules)},`);
  const roots = generation.kinds
    .map(({ apiVersion, kind, schema }) => ({ kind: `${apiVersion}/${kind}`, type: generation.names.get(schema) }))
    .map(({ kind, type }) => `  ${JSON.stringify(kind)}: ${JSON.stringify(type)},`);
  return [
    header,
    'import type { FieldRules } from "../field-rule.ts";',
    "",
    `export const typeOfKind: Readonly<Record<string, string>> = {\n${roots.join("\n")}\n};`,
    "",
    `export const fieldRules: FieldRules = {\n${types.join("\n")}\n};`,
    "",
  ].join("\n");
}

/** Rules that only lead to a type without rules are dropped until none is left. */
function typesWithRules({ schemas, names }: Generation): ReadonlyMap<string, Readonly<Record<string, Rule>>> {
  let rules = new Map<string, Record<string, Rule>>([["ObjectMeta", objectMetaRules]]);
  for (const [schemaName, name] of names) rules.set(name, rulesOf(schemaName, { schemas, names }));
  for (let before = -1; before !== rules.size; ) {
    before = rules.size;
    rules = new Map([...rules].map(([name, fields]) => [name, withoutDeadEnds(fields, rules)]));
    rules = new Map([...rules].filter(([, fields]) => Object.keys(fields).length > 0));
  }
  return rules;
}

const objectMetaRules: Record<string, Rule> = {
  annotations: { map: true },
  finalizers: { set: true },
  labels: { map: true },
  ownerReferences: { keys: ["uid"] },
};

function rulesOf(schemaName: string, generation: Pick<Generation, "schemas" | "names">): Record<string, Rule> {
  const properties = Object.entries(generation.schemas.get(schemaName)?.properties ?? {});
  const rules = properties.map(([field, schema]) => [field, ruleOf(schema, generation)] as const);
  const own = Object.fromEntries(rules.filter(([, rule]) => Object.keys(rule).length > 0));
  return schemaName === labelSelector ? { ...own, matchLabels: { map: true, whole: true } } : own;
}

function withoutDeadEnds(fields: Record<string, Rule>, rules: ReadonlyMap<string, unknown>): Record<string, Rule> {
  const kept = Object.entries(fields).map(([field, { type, ...rule }]) => [
    field,
    type !== undefined && rules.has(type) ? { ...rule, type } : rule,
  ]);
  return Object.fromEntries(kept.filter(([, rule]) => Object.keys(rule ?? {}).length > 0));
}

function ruleOf(schema: Schema, generation: Pick<Generation, "schemas" | "names">): Rule {
  const inner = schema.items ?? schema.additionalProperties ?? schema;
  const reference = referenceOf(inner);
  const isMap = schema.additionalProperties !== undefined;
  return {
    ...(isMap ? { map: true } : {}),
    ...(isMap && schema["x-kubernetes-map-type"] === "atomic" ? { whole: true } : {}),
    ...(reference === quantity ? { quantity: isMap ? "milli" : "nano" } : {}),
    ...(schema.type === "array" ? listRule(schema, generation.schemas.get(reference ?? "")) : {}),
    ...typeRule(reference, generation.names),
  };
}

function typeRule(reference: string | undefined, names: ReadonlyMap<string, string>): Rule {
  if (reference?.endsWith(".ObjectMeta") === true) return { type: "ObjectMeta" };
  const type = reference === undefined ? undefined : names.get(reference);
  return type === undefined ? {} : { type };
}

/** As server-side apply reads the extensions: the list type first, else the older patch strategy. */
function listRule(schema: Schema, item: Schema | undefined): Rule {
  const listType = schema["x-kubernetes-list-type"];
  if (listType === "atomic") return {};
  if (listType === "set") return { set: true };
  if (listType === "map") return keyed(schema["x-kubernetes-list-map-keys"] ?? [], item);
  if (schema["x-kubernetes-patch-strategy"]?.split(",").includes("merge") !== true) return {};
  const mergeKey = schema["x-kubernetes-patch-merge-key"];
  return mergeKey === undefined ? { set: true } : keyed([mergeKey], item);
}

function keyed(keys: readonly string[], item: Schema | undefined): Rule {
  const defaults = keys.flatMap((key) => {
    const value = item?.properties?.[key]?.default;
    return value === undefined || value === "" || value === 0 ? [] : [[key, value] as const];
  });
  return { keys, ...(defaults.length > 0 ? { keyDefaults: Object.fromEntries(defaults) } : {}) };
}
