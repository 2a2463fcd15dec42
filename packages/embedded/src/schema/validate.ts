import type { Cause } from "./cause.ts";
import { invalid, required, tooMany } from "./field-error.ts";
import { knownFormat } from "./formats.ts";
import { validateEmbedded } from "./embedded-resources.ts";
import { goQuote } from "./go-format.ts";
import { equalJson, isInteger, isNumber, isObject, type JsonObject, own } from "./json.ts";
import { correlatedItem, isUnchanged } from "./correlate.ts";
import { validateLists } from "./list-types.ts";
import type { SchemaNode } from "./schema-node.ts";
import { checkEnum, checkFormat, checkNumber, checkString } from "./validate-values.ts";
import { type Check, field, inBody, type Place, report, reportType, Result } from "./validation.ts";

/**
 * What the schema says against the value, in the words of the server. CEL rules are not part of it. With the stored
 * value at hand, what an update leaves alone is not held against it.
 */
export function validate(schema: SchemaNode, value: unknown, previous?: unknown): Cause[] {
  const { problems } = check(schema, { value, previous, path: "" });
  const causes = [...problems.map(({ cause }) => cause), ...validateEmbedded(schema, value)];
  const hadDuplicates = previous !== undefined && validateLists(schema, previous).length > 0;
  return hadDuplicates ? causes : [...causes, ...validateLists(schema, value)];
}

function check(schema: SchemaNode, place: Place): Result {
  const result = new Result();
  const { value } = place;
  if (value === null || value === undefined) {
    checkType(schema, place, result);
    checkEnum(schema, place, result);
  } else {
    for (const [applies, run] of checks) {
      if (!applies(schema, value)) continue;
      run(schema, place, result);
      result.score++;
    }
    result.score++;
  }
  if (result.isValid || place.previous === undefined) return result;
  return isUnchanged(schema, value, place.previous) ? passed(result.score) : result;
}

function passed(score: number): Result {
  const result = new Result();
  result.score = score;
  return result;
}

const checks: readonly (readonly [(schema: SchemaNode, value: unknown) => boolean, Check])[] = [
  [(schema) => typesOf(schema).length > 0 || knownFormat(schema.format) !== undefined, checkType],
  [() => true, checkAlternatives],
  [(_, value) => typeof value === "string", checkString],
  [(schema, value) => typeof value === "string" && knownFormat(schema.format) !== undefined, checkFormat],
  [(_, value) => isNumber(value), checkNumber],
  [(_, value) => Array.isArray(value), checkItems],
  [() => true, checkEnum],
  [(_, value) => isObject(value), checkFields],
];

function typesOf(schema: SchemaNode): readonly string[] {
  if (schema.isIntOrString === true) return ["integer", "string"];
  return schema.type === undefined ? [] : [schema.type];
}

function jsonType(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (isObject(value)) return "object";
  if (isNumber(value)) return isInteger(value) ? "integer" : "number";
  return typeof value;
}

function checkType(schema: SchemaNode, place: Place, result: Result): void {
  const types = typesOf(schema);
  const format = knownFormat(schema.format);
  const found = jsonType(place.value);
  if (found === "null" ? types.length === 0 || schema.isNullable === true : fitsType(types, found, format)) {
    result.score++;
  } else if (format !== undefined && !isTextual(found) && found !== "null") {
    reportType(place, result, schema.format ?? format, numberFormat(found));
  } else {
    reportType(place, result, types.join(","), found);
  }
}

function fitsType(types: readonly string[], found: string, format: string | undefined): boolean {
  if (types.includes(found) || (found === "integer" && types.includes("number"))) return true;
  // The format says more than the type, except of numbers.
  return isTextual(found) && format !== undefined && !types.includes("number") && !types.includes("integer");
}

function isTextual(type: string): boolean {
  return type === "string" || type === "array";
}

function numberFormat(type: string): string {
  if (type === "integer") return "int64";
  return type === "number" ? "float64" : "";
}

function checkAlternatives(schema: SchemaNode, place: Place, result: Result): void {
  const own = new Result();
  if (schema.anyOf !== undefined) checkAnyOf(schema.anyOf, place, own);
  if (schema.oneOf !== undefined) checkOneOf(schema.oneOf, place, own);
  if (schema.allOf !== undefined) checkAllOf(schema.allOf, place, own);
  if (schema.not !== undefined && check(schema.not, { ...place, previous: undefined }).isValid) {
    reportAlternatives(place, own, "must not validate the schema (not)");
  }
  own.score++;
  result.merge(own);
}

function reportAlternatives({ path }: Place, result: Result, message: string): void {
  const text = `${goQuote(path)} ${message}`;
  result.add(text, invalid("<nil>", "", text));
}

function bestOf(results: readonly Result[]): Result | undefined {
  return results.reduce<Result | undefined>(
    (best, result) => (best === undefined || result.score > best.score ? result : best),
    undefined,
  );
}

function checkAnyOf(schemas: readonly SchemaNode[], place: Place, result: Result): void {
  const failures: Result[] = [];
  for (const schema of schemas) {
    const attempt = check(schema, place);
    if (attempt.isValid) return result.merge(attempt);
    failures.push(attempt);
  }
  reportAlternatives(place, result, "must validate at least one schema (anyOf)");
  const best = bestOf(failures);
  if (best !== undefined) result.merge(best);
}

function checkOneOf(schemas: readonly SchemaNode[], place: Place, result: Result): void {
  const attempts = schemas.map((schema) => check(schema, place));
  const valid = attempts.filter(({ isValid }) => isValid);
  const [only] = valid;
  if (only !== undefined && valid.length === 1) return result.merge(only);
  const found = valid.length === 0 ? "Found none valid" : `Found ${valid.length} valid alternatives`;
  reportAlternatives(place, result, `must validate one and only one schema (oneOf). ${found}`);
  const best = valid.length === 0 ? bestOf(attempts) : undefined;
  if (best !== undefined) result.merge(best);
}

function checkAllOf(schemas: readonly SchemaNode[], place: Place, result: Result): void {
  const attempts = schemas.map((schema) => check(schema, place));
  for (const attempt of attempts) result.merge(attempt);
  const validCount = attempts.filter(({ isValid }) => isValid).length;
  if (validCount === attempts.length) return;
  const none = validCount === 0 ? ". None validated" : "";
  reportAlternatives(place, result, `must validate all the schemas (allOf)${none}`);
}

function checkItems(schema: SchemaNode, place: Place, result: Result): void {
  const value = place.value as readonly unknown[];
  const { items, minItems, maxItems } = schema;
  if (items !== undefined) {
    for (const [i, item] of value.entries()) {
      const previous = correlatedItem(schema, place.previous, item);
      result.merge(check(items, { value: item, previous, path: `${place.path}[${i}]` }));
    }
  }
  const counted = { ...place, value: value.length };
  if (minItems !== undefined && value.length < minItems) {
    report(counted, result, `should have at least ${minItems} items`);
  }
  if (maxItems !== undefined && value.length > maxItems) {
    const text = inBody(place.path, `should have at most ${maxItems} items`);
    result.add(text, tooMany(field(place.path), value.length, maxItems));
  }
  if (
    schema.hasUniqueItems === true &&
    value.some((item, i) => value.slice(0, i).some((other) => equalJson(item, other)))
  ) {
    report({ ...place, value: "" }, result, "shouldn't contain duplicates");
  }
  result.score++;
}

function checkFields(schema: SchemaNode, place: Place, result: Result): void {
  const value = place.value as JsonObject;
  checkFieldCount(schema, place, result);
  for (const key of Object.keys(value)) checkField(schema, key, place, result);
  for (const key of schema.required ?? []) {
    if (Object.hasOwn(value, key)) continue;
    result.add(inBody(`${place.path}.${key}`, "is required"), required(field(`${place.path}.${key}`)));
  }
}

function checkField(schema: SchemaNode, key: string, place: Place, result: Result): void {
  const known = schema.properties?.get(key);
  const type = known ?? schema.additionalProperties;
  if (typeof type === "object") {
    const path = known !== undefined && place.path === "" ? key : `${place.path}.${key}`;
    const previous = isObject(place.previous) ? own(place.previous, key) : undefined;
    result.merge(check(type, { value: own(place.value as JsonObject, key), previous, path }));
  } else if (type === false) {
    reportForbidden(place, result, key);
  }
}

function reportForbidden({ path }: Place, result: Result, key: string): void {
  const text = `${path}.${key} in body is a forbidden property`;
  result.add(text, invalid(field(path), key, text));
}

function checkFieldCount(schema: SchemaNode, place: Place, result: Result): void {
  const count = Object.keys(place.value as JsonObject).length;
  const { minProperties, maxProperties } = schema;
  if (minProperties !== undefined && count < minProperties) {
    report({ ...place, value: count }, result, `should have at least ${minProperties} properties`);
  }
  if (maxProperties !== undefined && count > maxProperties) {
    const text = inBody(place.path, `should have at most ${maxProperties} properties`);
    result.add(text, tooMany(field(place.path), count, maxProperties));
  }
}
