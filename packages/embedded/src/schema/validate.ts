import type { Cause } from "./cause.ts";
import { invalid, notSupported, required, tooLong, tooMany, typeInvalid } from "./field-error.ts";
import { knownFormat, matchesFormat } from "./formats.ts";
import { validateEmbedded } from "./embedded-resources.ts";
import { goFloat, goJson, goQuote, goValue } from "./go-format.ts";
import { equalJson, isInteger, isNumber, isObject, type JsonObject, own } from "./json.ts";
import { correlatedItem, isUnchanged } from "./correlate.ts";
import { validateLists } from "./list-types.ts";
import { compilePattern } from "./patterns.ts";
import type { SchemaNode } from "./schema-node.ts";

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

/** A value in its place. */
interface Place {
  readonly value: unknown;
  /** The stored value that it replaces; undefined if there is none or it can't be told. */
  readonly previous: unknown;
  readonly path: string;
}

interface Problem {
  readonly cause: Cause;
  /** Tells problems apart: the same one may be found on several ways. */
  readonly text: string;
}

/** `score` counts what was right: of several alternatives the one with most is reported. */
class Result {
  readonly problems: Problem[] = [];
  score = 0;

  add(text: string, cause: Cause): void {
    if (!this.problems.some((problem) => problem.text === text)) this.problems.push({ text, cause });
  }

  merge({ problems, score }: Result): void {
    for (const { text, cause } of problems) this.add(text, cause);
    this.score += score;
  }

  get isValid(): boolean {
    return this.problems.length === 0;
  }
}

type Check = (schema: SchemaNode, place: Place, result: Result) => void;

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

function inBody(path: string, text: string): string {
  return `${path} in body ${text}`;
}

function field(path: string): string {
  return path === "" || path === "." ? "<nil>" : path.replace(/^\./, "");
}

function reportType(place: Place, result: Result, expected: string, found: string): void {
  const text = inBody(place.path, `must be of type ${expected}: ${goQuote(found)}`);
  result.add(text, typeInvalid(field(place.path), found, text));
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

function report({ path, value }: Place, result: Result, message: string): void {
  const text = inBody(path, message);
  result.add(text, invalid(field(path), value, text));
}

function checkString(schema: SchemaNode, place: Place, result: Result): void {
  const value = place.value as string;
  const length = lengthOf(value);
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    const text = inBody(place.path, `should be at most ${schema.maxLength} chars long`);
    result.add(text, tooLong(field(place.path), schema.maxLength));
  } else if (schema.minLength !== undefined && length < schema.minLength) {
    report(place, result, `should be at least ${schema.minLength} chars long`);
  } else if (schema.pattern !== undefined) {
    checkPattern(schema.pattern, place, result);
  }
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

function checkPattern(pattern: string, place: Place, result: Result): void {
  const compiled = compilePattern(pattern);
  if (typeof compiled === "string") {
    report(place, result, `should match '${pattern}, but pattern is invalid: ${compiled}'`);
  } else if (!compiled.test(place.value as string)) {
    report(place, result, `should match '${pattern}'`);
  }
}

function checkFormat(schema: SchemaNode, place: Place, result: Result): void {
  const name = knownFormat(schema.format);
  const value = place.value as string;
  if (name === undefined || matchesFormat(name, value)) return;
  reportType(place, result, schema.format ?? name, value);
}

function checkNumber(schema: SchemaNode, place: Place, result: Result): void {
  const value = place.value as number | bigint;
  // A bound is cut to an integer where the value is one, as the server does it.
  const bound = (limit: number) => (isInteger(value) ? Math.trunc(limit) : limit);
  if (schema.multipleOf !== undefined && !isMultiple(value, bound(schema.multipleOf))) {
    report(place, result, `should be a multiple of ${goFloat(bound(schema.multipleOf))}`);
  }
  if (schema.minimum !== undefined) {
    const limit = bound(schema.minimum);
    if (!isWithin(limit, value, schema.isMinimumExclusive)) {
      report(place, result, `should be greater than ${orEqual(schema.isMinimumExclusive)}${goFloat(limit)}`);
    }
  }
  if (schema.maximum !== undefined) {
    const limit = bound(schema.maximum);
    if (!isWithin(value, limit, schema.isMaximumExclusive)) {
      report(place, result, `should be less than ${orEqual(schema.isMaximumExclusive)}${goFloat(limit)}`);
    }
  }
  result.score++;
}

function isWithin(low: number | bigint, high: number | bigint, isExclusive: boolean | undefined): boolean {
  return isExclusive === true ? low < high : low <= high;
}

function orEqual(isExclusive: boolean | undefined): string {
  return isExclusive === true ? "" : "or equal to ";
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (typeof value === "bigint") return value % BigInt(factor) === 0n;
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  return Math.abs(times - Math.round(times)) < 1e-9;
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

function checkEnum(schema: SchemaNode, { value, path }: Place, result: Result): void {
  if (schema.enum === undefined || schema.enum.length === 0) return;
  if (schema.enum.some((allowed) => allowed !== null && equalJson(allowed, converted(value, allowed)))) return;
  const supported = schema.enum.map((allowed) => (typeof allowed === "string" ? allowed : goJson(allowed)));
  const text = inBody(path, `should be one of ${goValue(schema.enum)}`);
  result.add(text, notSupported(field(path), value, supported));
}

/** The server converts to the type of the allowed value first, and Go cuts numbers and makes characters of them. */
function converted(value: unknown, allowed: unknown): unknown {
  if (typeof value !== "number") return value;
  if (isInteger(allowed)) return Math.trunc(value);
  return typeof allowed === "string" && value > 0 && value <= 0xffff ? String.fromCharCode(value) : value;
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
