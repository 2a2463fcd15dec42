// Single values: texts, numbers, enumerations.
import { notSupported, tooLong } from "./field-error.ts";
import { knownFormat, matchesFormat } from "./formats.ts";
import { goFloat, goJson, goValue } from "./go-format.ts";
import { equalJson, isInteger } from "./json.ts";
import { compilePattern } from "./patterns.ts";
import type { SchemaNode } from "./schema-node.ts";
import { field, inBody, type Place, report, reportType, type Result } from "./validation.ts";

export function checkString(schema: SchemaNode, place: Place, result: Result): void {
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

export function checkFormat(schema: SchemaNode, place: Place, result: Result): void {
  const name = knownFormat(schema.format);
  const value = place.value as string;
  if (name === undefined || matchesFormat(name, value)) return;
  reportType(place, result, schema.format ?? name, value);
}

export function checkNumber(schema: SchemaNode, place: Place, result: Result): void {
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

export function checkEnum(schema: SchemaNode, { value, path }: Place, result: Result): void {
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
