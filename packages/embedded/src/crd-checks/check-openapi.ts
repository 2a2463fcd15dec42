import type { Cause } from "../schema/cause.ts";
import { listIn, objectsIn } from "./check-structural.ts";
import { forbidden, invalid, notSupported, required } from "../schema/field-error.ts";
import { isObject, type JsonObject, own } from "../schema/json.ts";

/** Where in a resource a schema stands. */
interface Context {
  /** Set: defaults are not allowed here, for this reason. */
  readonly forbidsDefaults?: string;
  readonly isInMetadata?: boolean;
  readonly isRoot?: boolean;
}

const types = ["array", "boolean", "integer", "number", "object", "string"];

/** Parts of OpenAPI that custom resources can't use, and list types that make no sense. */
export function checkOpenApi(schema: JsonObject, path: string, context: Context = { isRoot: true }): Cause[] {
  return [
    ...checkSupported(schema, path, context),
    ...checkAdditional(schema, path, context),
    ...checkProperties(schema, path, context),
    ...checkBelow(schema, path, { ...context, isRoot: false }),
    ...checkMapType(schema, path),
    ...checkListType(schema, path),
    ...checkRuleTexts(schema, path),
  ];
}

function checkSupported(schema: JsonObject, path: string, context: Context): Cause[] {
  const { type } = schema;
  const causes: Cause[] = [];
  if (typeof type === "string" && type !== "" && !types.includes(type)) {
    causes.push(notSupported(`${path}.type`, type, types));
  }
  for (const [key, isWrong, detail] of unsupported) {
    if (isWrong(schema, context)) causes.push(forbidden(`${path}.${key}`, detail));
  }
  if (schema["default"] !== undefined && context.forbidsDefaults !== undefined) {
    causes.push(forbidden(`${path}.default`, `must not be set ${context.forbidsDefaults}`));
  }
  return causes;
}

type Unsupported = readonly [string, (schema: JsonObject, context: Context) => boolean, string];

const unsupported: readonly Unsupported[] = [
  ...["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"].map(
    (key): Unsupported => [key, (schema) => schema[key] !== undefined, `${key} is not supported`],
  ),
  ["type", ({ type }) => type === "null", "type cannot be set to null, use nullable as an alternative"],
  ["items", ({ items }) => Array.isArray(items) && items.length > 0, "items must be a schema object and not an array"],
  [
    "x-kubernetes-embedded-resource",
    (schema, { isInMetadata }) => isInMetadata === true && schema["x-kubernetes-embedded-resource"] === true,
    "must not be used inside of resource meta",
  ],
  [
    "uniqueItems",
    ({ uniqueItems }) => uniqueItems === true,
    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
  ],
];

function checkAdditional(schema: JsonObject, path: string, context: Context): Cause[] {
  const rest = schema["additionalProperties"];
  const at = `${path}.additionalProperties`;
  if (rest === undefined || rest === null) return [];
  const causes =
    rest !== true && objectsIn(schema["properties"]).length > 0
      ? [forbidden(at, "additionalProperties and properties are mutual exclusive")]
      : [];
  if (!isObject(rest)) return causes;
  const reason = "inside additionalProperties applying to object metadata";
  const below = context.isInMetadata === true ? { ...context, forbidsDefaults: reason } : context;
  return [...causes, ...checkOpenApi(rest, at, { ...below, isRoot: false })];
}

function checkProperties(schema: JsonObject, path: string, context: Context): Cause[] {
  const isResource = context.isRoot === true || schema["x-kubernetes-embedded-resource"] === true;
  return objectsIn(schema["properties"]).flatMap(([key, field]) => {
    const isMeta = isResource && ["metadata", "kind", "apiVersion"].includes(key);
    const below: Context = {
      ...context,
      isRoot: false,
      ...(isMeta ? { isInMetadata: true } : {}),
      ...(isMeta && context.isRoot === true ? { forbidsDefaults: `in top-level ${key}` } : {}),
    };
    return checkOpenApi(field, `${path}.properties[${key}]`, below);
  });
}

function checkBelow(schema: JsonObject, path: string, context: Context): Cause[] {
  const { not, items } = schema;
  return [
    ...(isObject(not) ? checkOpenApi(not, `${path}.not`, context) : []),
    ...["allOf", "oneOf", "anyOf"].flatMap((key) =>
      listIn(schema[key]).flatMap((child, i) => checkOpenApi(child, `${path}.${key}[${i}]`, context)),
    ),
    ...(isObject(items) ? checkOpenApi(items, `${path}.items`, context) : []),
  ];
}

function checkMapType(schema: JsonObject, path: string): Cause[] {
  const causes: Cause[] = [];
  const mapType = schema["x-kubernetes-map-type"];
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    causes.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined"));
  }
  if (mapType === undefined) return causes;
  if (schema["type"] !== "object") {
    causes.push(wrongType(schema, path, "must be object if x-kubernetes-map-type is specified"));
  }
  if (mapType !== "atomic" && mapType !== "granular") {
    causes.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"]));
  }
  return causes;
}

function wrongType({ type }: JsonObject, path: string, detail: string): Cause {
  return type === undefined || type === "" ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail);
}

function checkListType(schema: JsonObject, path: string): Cause[] {
  const listType = schema["x-kubernetes-list-type"];
  const keys = Array.isArray(schema["x-kubernetes-list-map-keys"]) ? schema["x-kubernetes-list-map-keys"] : [];
  const causes = listType === undefined ? [] : checkKnownListType(schema, path, listType);
  if (keys.length > 0 && listType !== "map") {
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    const at = `${path}.x-kubernetes-list-type`;
    causes.push(listType === undefined ? required(at, detail) : invalid(at, listType, detail));
  }
  if (listType === "map") causes.push(...checkListMap(schema, path, keys));
  if (listType === "map" || listType === "set") causes.push(...checkListItems(schema, path, keys));
  return causes;
}

function checkKnownListType(schema: JsonObject, path: string, listType: unknown): Cause[] {
  const causes: Cause[] = [];
  if (schema["type"] !== "array") {
    causes.push(wrongType(schema, path, "must be array if x-kubernetes-list-type is specified"));
  } else if (listType === "set") {
    causes.push(...checkSetItems(schema, path));
  }
  if (!["atomic", "set", "map"].includes(listType as string)) {
    causes.push(notSupported(`${path}.x-kubernetes-list-type`, listType, ["atomic", "set", "map"]));
  }
  return causes;
}

function checkSetItems({ items }: JsonObject, path: string): Cause[] {
  if (!isObject(items)) return [];
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const listType = items["x-kubernetes-list-type"];
  if (items["type"] === "array" && listType !== undefined && listType !== "atomic") {
    return [invalid(`${path}.items.x-kubernetes-list-type`, listType, detail)];
  }
  if (items["type"] === "object" && items["x-kubernetes-map-type"] !== "atomic") {
    return [invalid(`${path}.items.x-kubernetes-map-type`, listType ?? null, detail)];
  }
  return [];
}

function checkListMap({ items }: JsonObject, path: string, keys: readonly unknown[]): Cause[] {
  const causes: Cause[] = [];
  const at = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) causes.push(required(at, "must not be empty if x-kubernetes-list-type is map"));
  if (!isObject(items)) {
    return [...causes, required(`${path}.items`, "must have a schema if x-kubernetes-list-type is map")];
  }
  if (items["type"] !== "object") {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [...causes, invalid(`${path}.items.type`, items["type"] ?? "", detail)];
  }
  for (const [i, key] of keys.entries()) {
    const field = propertyOf(items, key);
    if (field === undefined) causes.push(invalid(at, keys, "entries must all be names of item properties"));
    else if (field["type"] === "array" || field["type"] === "object") {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      causes.push(invalid(`${path}.items.properties[${String(key)}].type`, items["type"], detail));
    }
    if (keys.indexOf(key) < i) causes.push(invalid(at, keys, "must not contain duplicate entries"));
  }
  return causes;
}

function propertyOf({ properties }: JsonObject, key: unknown): JsonObject | undefined {
  const field = isObject(properties) && typeof key === "string" ? own(properties, key) : undefined;
  return isObject(field) ? field : undefined;
}

function checkListItems(schema: JsonObject, path: string, keys: readonly unknown[]): Cause[] {
  const { items } = schema;
  const listType = schema["x-kubernetes-list-type"] === "map" ? "map" : "set";
  if (!isObject(items)) return [];
  const causes: Cause[] = [];
  if (items["nullable"] === true) {
    causes.push(forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  }
  if (listType !== "map") return causes;
  const needed = Array.isArray(items["required"]) ? items["required"] : [];
  const fields = keys.map((key) => ({ key, field: propertyOf(items, key), isNeeded: needed.includes(key) }));
  for (const { key, field, isNeeded } of fields) {
    if (field !== undefined) causes.push(...checkKeyField(field, `${path}.items.properties[${String(key)}]`, isNeeded));
  }
  return causes;
}

function checkKeyField(field: JsonObject, path: string, isNeeded: boolean): Cause[] {
  const causes: Cause[] = [];
  const because = "this property is in x-kubernetes-list-map-keys, so it";
  if (!isNeeded && field["default"] === undefined) {
    causes.push(required(`${path}.default`, `${because} must have a default or be a required property`));
  }
  if (field["nullable"] === true) causes.push(forbidden(`${path}.nullable`, `${because} cannot be nullable`));
  return causes;
}

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

function checkRuleTexts(schema: JsonObject, path: string): Cause[] {
  return listIn(schema["x-kubernetes-validations"]).flatMap((rule, i) => {
    const at = `${path}.x-kubernetes-validations[${i}]`;
    const causes = checkRuleMessage(rule, at);
    const { reason, messageExpression } = rule;
    if (typeof messageExpression === "string" && messageExpression !== "" && messageExpression.trim() === "") {
      causes.push(required(`${at}.messageExpression`, "messageExpression must be non-empty if specified"));
    }
    if (typeof reason === "string" && !reasons.includes(reason)) {
      causes.push(notSupported(`${at}.reason`, reason, reasons));
    }
    return causes;
  });
}

function checkRuleMessage({ rule, message }: JsonObject, at: string): Cause[] {
  const text = typeof rule === "string" ? rule.trim() : "";
  const said = typeof message === "string" ? message : "";
  if (text === "") return [required(`${at}.rule`, "rule is not specified")];
  if (said !== "" && said.trim() === "") return [invalid(`${at}.message`, said, "must be non-empty if specified")];
  if (/[\n\r]/.test(said.trim())) return [invalid(`${at}.message`, said, "must not contain line breaks")];
  if (/[\n\r]/.test(text) && said === "") {
    return [required(`${at}.message`, "message must be specified if rule contains line breaks")];
  }
  return [];
}
