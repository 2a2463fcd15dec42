import type { Cause } from "../schema/cause.ts";
import { forbidden, invalid, required } from "../schema/field-error.ts";
import { compareStrings } from "../schema/go-format.ts";
import { equalJson, isObject, type JsonObject, own } from "../schema/json.ts";
import { compilePattern } from "../schema/patterns.ts";

// Is a schema structural: does every field have a type, outside of anyOf and the like?

type Level = "root" | "item" | "field";

export function checkStructural(schema: JsonObject, path: string): Cause[] {
  const causes = [...checkNode(schema, path, "root"), ...checkComplete(schema, schema, { path, from: path })];
  return causes.toSorted((left, right) =>
    compareStrings(`${left.field}: ${left.message}`, `${right.field}: ${right.message}`),
  );
}

export function objectsIn(value: unknown): [string, JsonObject][] {
  return isObject(value)
    ? Object.entries(value).filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
    : [];
}

export function listIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function checkNode(schema: JsonObject, path: string, level: Level): Cause[] {
  return [
    ...checkItems(schema, path),
    ...objectsIn(schema["properties"]).flatMap(([key, field]) =>
      checkNode(field, `${path}.properties[${key}]`, "field"),
    ),
    ...checkAdditional(schema, path, level),
    ...checkExtensions(schema, path),
    ...checkValueValidation(schema, path, intOrStringPatterns(schema)),
    ...checkType(schema, path, level),
    ...checkMetadata(schema, path, level),
  ];
}

function checkItems(schema: JsonObject, path: string): Cause[] {
  const { items } = schema;
  if (isObject(items)) return checkNode(items, `${path}.items`, "item");
  return schema["type"] === "array" ? [required(`${path}.items`, "must be specified")] : [];
}

function checkAdditional(schema: JsonObject, path: string, level: Level): Cause[] {
  const rest = schema["additionalProperties"];
  const at = `${path}.additionalProperties`;
  const causes = rest !== undefined && level === "root" ? [forbidden(at, "must not be used at the root")] : [];
  return isObject(rest) ? [...causes, ...checkNode(rest, at, "field")] : causes;
}

function checkExtensions(schema: JsonObject, path: string): Cause[] {
  if (schema["x-kubernetes-int-or-string"] !== true) return [];
  return ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"]
    .filter((extension) => schema[extension] === true)
    .map((extension) => invalid(`${path}.${extension}`, true, "must be false if x-kubernetes-int-or-string is true"));
}

const intOrString = [{ type: "integer" }, { type: "string" }];

/** The two ways to say int-or-string, whose types are no mistake. */
function intOrStringPatterns(schema: JsonObject): { skipsAnyOf: boolean; skipsFirstAllOf: boolean } {
  const [first] = listIn(schema["allOf"]);
  return {
    skipsAnyOf: isIntOrString(schema["anyOf"]),
    skipsFirstAllOf: first !== undefined && isIntOrString(first["anyOf"]),
  };
}

function isIntOrString(anyOf: unknown): boolean {
  // What is false is as good as not said.
  const said = listIn(anyOf).map((schema) =>
    Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== false)),
  );
  return equalJson(said, intOrString);
}

function checkValueValidation(
  schema: JsonObject,
  path: string,
  { skipsAnyOf = false, skipsFirstAllOf = false } = {},
): Cause[] {
  const { not, pattern } = schema;
  const anyOf = skipsAnyOf ? [] : listIn(schema["anyOf"]);
  const causes = [
    ...anyOf.flatMap((nested, i) => checkNested(nested, `${path}.anyOf[${i}]`)),
    ...listIn(schema["allOf"]).flatMap((nested, i) =>
      checkNested(nested, `${path}.allOf[${i}]`, { skipsAnyOf: skipsFirstAllOf && i === 0 }),
    ),
    ...listIn(schema["oneOf"]).flatMap((nested, i) => checkNested(nested, `${path}.oneOf[${i}]`)),
    ...(isObject(not) ? checkNested(not, `${path}.not`) : []),
  ];
  if (typeof pattern !== "string" || pattern === "") return causes;
  const compiled = compilePattern(pattern);
  if (typeof compiled !== "string") return causes;
  return [...causes, invalid(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${compiled}`)];
}

const forbiddenInside: readonly (readonly [string, string])[] = [
  ["type", "must be empty to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

function checkNested(schema: JsonObject, path: string, skips = {}): Cause[] {
  const { items, properties } = schema;
  const causes = [
    ...checkValueValidation(schema, path, skips),
    ...(isObject(items) ? checkNested(items, `${path}.items`) : []),
    ...objectsIn(properties).flatMap(([key, field]) => checkNested(field, `${path}.properties[${key}]`)),
    ...forbiddenInside
      .filter(([key]) => isSet(schema[key]))
      .map(([key, detail]) => forbidden(`${path}.${key}`, detail)),
  ];
  if (!isObject(properties) || !Object.hasOwn(properties, "metadata")) return causes;
  return [...causes, forbidden(`${path}.properties[metadata]`, "must not be specified in a nested context")];
}

function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== "" && value !== false;
}

const emptyTypes: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function checkType(schema: JsonObject, path: string, level: Level): Cause[] {
  const type = typeof schema["type"] === "string" ? schema["type"] : "";
  const at = `${path}.type`;
  const causes =
    level === "root" && type !== "" && type !== "object" ? [invalid(at, type, "must be object at the root")] : [];
  if (schema["x-kubernetes-embedded-resource"] === true) {
    return [...checkEmbedded(schema, path, type), ...causes];
  }
  const isOpen =
    schema["x-kubernetes-int-or-string"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
  return type === "" && !isOpen ? [required(at, emptyTypes[level]), ...causes] : causes;
}

function checkEmbedded(schema: JsonObject, path: string, type: string): Cause[] {
  const causes: Cause[] = [];
  const detail = "must be object if x-kubernetes-embedded-resource is true";
  if (type === "") causes.push(required(`${path}.type`, detail));
  else if (type !== "object") causes.push(invalid(`${path}.type`, type, detail));
  if (schema["additionalProperties"] !== undefined) {
    causes.push(forbidden(`${path}.additionalProperties`, "must not be used if x-kubernetes-embedded-resource is set"));
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] !== true && objectsIn(schema["properties"]).length === 0) {
    causes.push(
      required(
        `${path}.properties`,
        "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
      ),
    );
  }
  return causes;
}

function checkMetadata(schema: JsonObject, path: string, level: Level): Cause[] {
  if (level !== "root" && schema["x-kubernetes-embedded-resource"] !== true) return [];
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const causes = ["kind", "apiVersion"].flatMap((key) => {
    const field = own(properties, key);
    if (!isObject(field) || field["type"] === "string") return [];
    return [invalid(`${path}.properties[${key}].type`, field["type"] ?? "", "must be string")];
  });
  const metadata = own(properties, "metadata");
  if (!isObject(metadata)) return causes;
  const at = `${path}.properties[metadata]`;
  if (metadata["type"] !== "object") causes.push(invalid(`${at}.type`, metadata["type"] ?? "", "must be object"));
  if (level === "root" && !restrictsNamesOnly(metadata)) {
    causes.push(
      forbidden(at, "must not specify anything other than name and generateName, but metadata is implicitly specified"),
    );
  }
  return causes;
}

function restrictsNamesOnly(metadata: JsonObject): boolean {
  const names = objectsIn(metadata["properties"]).map(([key]) => key);
  if (!names.every((name) => name === "name" || name === "generateName")) return false;
  return Object.keys(metadata).every((key) => ["properties", "type", "default"].includes(key));
}

/** Whatever a value validation speaks of has to be declared outside of it. */
function checkComplete(
  validation: JsonObject,
  schema: unknown,
  { path, from }: { path: string; from: string },
): Cause[] {
  if (!isObject(schema)) return [required(path, `because it is defined in ${from}`)];
  const nested: [JsonObject, string][] = [
    ...(isObject(validation["not"]) ? [[validation["not"], `${from}.not`] as [JsonObject, string]] : []),
    ...["allOf", "anyOf", "oneOf"].flatMap((key) =>
      listIn(validation[key]).map((child, i): [JsonObject, string] => [child, `${from}.${key}[${i}]`]),
    ),
  ];
  return nested.flatMap(([child, at]) => checkNestedComplete(child, schema, { path, from: at }));
}

function checkNestedComplete(
  nested: JsonObject,
  schema: JsonObject,
  { path, from }: { path: string; from: string },
): Cause[] {
  const { items } = nested;
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  return [
    ...checkComplete(nested, schema, { path, from }),
    ...(isObject(items) ? checkDeclared(items, schema["items"], { path: `${path}.items`, from: `${from}.items` }) : []),
    ...objectsIn(nested["properties"]).flatMap(([key, field]) =>
      checkDeclared(field, own(properties, key), {
        path: `${path}.properties[${key}]`,
        from: `${from}.properties[${key}]`,
      }),
    ),
  ];
}

function checkDeclared(nested: JsonObject, schema: unknown, place: { path: string; from: string }): Cause[] {
  if (!isObject(schema)) return [required(place.path, `because it is defined in ${place.from}`)];
  return checkNestedComplete(nested, schema, place);
}
