import type { Cause } from "../schema/cause.ts";
import { checkDefaults } from "./check-defaults.ts";
import { checkOpenApi } from "./check-openapi.ts";
import { checkRules } from "./check-rules.ts";
import { checkStructural, listIn } from "./check-structural.ts";
import { duplicate, forbidden, invalid, required, tooMany } from "../schema/field-error.ts";
import { isObject, type JsonObject, own } from "../schema/json.ts";

// One version of a CustomResourceDefinition.

const allowedBesideStatus = [
  "Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern",
  "MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields",
  "XValidations",
].join(" ");

export function checkSchema(schema: JsonObject, path: string, hasStatus: boolean): Cause[] {
  const at = `${path}.openAPIV3Schema`;
  const causes = hasStatus ? checkBesideStatus(schema, at) : [];
  if (schema["nullable"] === true) causes.push(forbidden(`${at}.nullable`, "nullable cannot be true at the root"));
  const structural = checkStructural(schema, at);
  const defaults = structural.length > 0 ? [] : checkDefaults(schema, at);
  const openApi = checkOpenApi(schema, at);
  const found = [...structural, ...defaults];
  const rules = found.length > 0 || openApi.length > 0 ? [] : checkRules(schema, at);
  return [...causes, ...found, ...openApi, ...rules];
}

/** The status is validated by itself, so the root can't say anything that reaches into it. */
function checkBesideStatus(schema: JsonObject, at: string): Cause[] {
  const { type } = schema;
  if (type !== undefined && type !== "" && type !== "object") {
    const detail = `only "object" is allowed as the type at the root of the schema if the status subresource is enabled`;
    return [invalid(`${at}.type`, type, detail)];
  }
  const odd = Object.keys(schema).some((key) => !isAllowedBesideStatus(key) && schema[key] !== false);
  if (!odd) return [];
  const detail = `only [${allowedBesideStatus}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalid(at, schema, detail)];
}

function isAllowedBesideStatus(key: string): boolean {
  const words = key.replace(/^x-kubernetes-/, "x-").split("-");
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
  return allowedBesideStatus.split(" ").includes(name);
}

export function checkSubresources({ subresources }: JsonObject, path: string): Cause[] {
  const scale = isObject(subresources) ? subresources["scale"] : undefined;
  if (!isObject(scale)) return [];
  const selector = scale["labelSelectorPath"];
  return [
    ...checkScalePath(scale["specReplicasPath"], `${path}.scale.specReplicasPath`, [".spec."]),
    ...checkScalePath(scale["statusReplicasPath"], `${path}.scale.statusReplicasPath`, [".status."]),
    ...(selector === undefined || selector === ""
      ? []
      : checkScalePath(selector, `${path}.scale.labelSelectorPath`, [".spec.", ".status."])),
  ];
}

function checkScalePath(value: unknown, field: string, roots: readonly string[]): Cause[] {
  if (typeof value !== "string" || value === "") return [required(field)];
  if (!value.startsWith(".")) return [invalid(field, value, "must be a simple json path starting with .")];
  if (roots.some((root) => value.startsWith(root))) return [];
  const under = roots.length === 1 ? roots[0]?.slice(0, -1) : "either .spec or .status";
  return [invalid(field, value, `should be a json path under ${under}`)];
}

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

export function checkColumns({ additionalPrinterColumns }: JsonObject, path: string): Cause[] {
  return listIn(additionalPrinterColumns).flatMap(({ name, type, format, jsonPath }, i) => {
    const at = `${path}[${i}]`;
    const causes: Cause[] = [];
    if (name === undefined || name === "") causes.push(required(`${at}.name`));
    if (type === undefined || type === "") {
      causes.push(required(`${at}.type`, `must be one of ${columnTypes.join(",")}`));
    } else if (!columnTypes.includes(type as string)) {
      causes.push(invalid(`${at}.type`, type, `must be one of ${columnTypes.join(",")}`));
    }
    if (format !== undefined && format !== "" && !columnFormats.includes(format as string)) {
      causes.push(invalid(`${at}.format`, format, `must be one of ${columnFormats.join(",")}`));
    }
    return [...causes, ...checkColumnPath(jsonPath, `${at}.JSONPath`)];
  });
}

function checkColumnPath(value: unknown, field: string): Cause[] {
  if (typeof value !== "string" || value === "") return [required(field)];
  return value.startsWith(".") ? [] : [invalid(field, value, "must be a simple json path starting with .")];
}

const selectableFieldsMax = 8;

export function checkSelectableFields({ selectableFields }: JsonObject, schema: JsonObject, path: string): Cause[] {
  const fields = listIn(selectableFields);
  const seen = new Set<string>();
  const causes = fields.flatMap(({ jsonPath }, i) => {
    const at = `${path}[${i}].jsonPath`;
    if (typeof jsonPath !== "string" || jsonPath === "") return [required(at)];
    const found = checkSelectableField(jsonPath, schema, at);
    if (seen.has(jsonPath)) found.push(duplicate(at, jsonPath));
    seen.add(jsonPath);
    return found;
  });
  return seen.size > selectableFieldsMax ? [...causes, tooMany(path, seen.size, selectableFieldsMax)] : causes;
}

function checkSelectableField(jsonPath: string, schema: JsonObject, at: string): Cause[] {
  const found = fieldAt(jsonPath, schema);
  if (typeof found === "string") return [invalid(at, jsonPath, `is an invalid path: ${found}`)];
  const causes: Cause[] = [];
  if (/^\.metadata(\.|$)/.test(jsonPath)) {
    causes.push(invalid(at, jsonPath, "must not point to fields in metadata"));
  }
  if (!["string", "boolean", "integer"].includes(found["type"] as string)) {
    const detail =
      "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
    causes.push(invalid(at, jsonPath, detail));
  }
  return causes;
}

/** A text if the path leads nowhere. */
function fieldAt(jsonPath: string, schema: JsonObject): JsonObject | string {
  if (jsonPath.includes("[")) return "array notation is not allowed";
  if (!jsonPath.startsWith(".")) return `expected [ or . but got: ${jsonPath.split(".")[0]}`;
  let node: JsonObject = schema;
  for (const name of jsonPath.slice(1).split(".")) {
    const { properties } = node;
    const field = isObject(properties) ? own(properties, name) : node["additionalProperties"];
    if (!isObject(field)) return name === "" ? "unexpected end of JSON path" : "does not refer to a valid field";
    node = field;
  }
  return node;
}
