import { validateRules } from "../cel/rules.ts";
import type { Cause } from "../schema/cause.ts";
import { objectsIn } from "./check-structural.ts";
import { invalid } from "../schema/field-error.ts";
import { equalJson, isObject, type JsonObject } from "../schema/json.ts";
import { prune } from "../schema/prune.ts";
import { readSchema } from "../schema/read-structural.ts";
import { validate } from "../schema/validate.ts";

/** Defaults have to be valid themselves. */
export function checkDefaults(schema: JsonObject, path: string): Cause[] {
  const { items } = schema;
  return [
    ...checkDefault(schema, `${path}.default`),
    ...(isObject(items) ? checkDefaults(items, `${path}.items`) : []),
    ...objectsIn(schema["properties"]).flatMap(([key, field]) => checkDefaults(field, `${path}.properties[${key}]`)),
  ];
}

function checkDefault(schema: JsonObject, path: string): Cause[] {
  const value = schema["default"];
  if (value === undefined || value === null) return [];
  const node = readSchema(schema);
  const causes: Cause[] = [];
  if (!equalJson(prune(node, value).value, value)) causes.push(invalid(path, value, "must not have unknown fields"));
  const problems = validate(node, value);
  const found = problems.length > 0 ? problems : validateRules(node, { value });
  return [...causes, ...found.map((cause) => below(path, cause))];
}

function below(path: string, { field, ...cause }: Cause): Cause {
  return { field: field === "<nil>" ? path : `${path}.${field}`, ...cause };
}
