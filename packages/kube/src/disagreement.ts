// Where a live object disagrees with what we would apply. What we do not set is not ours to compare: defaults of the
// server and fields of others are no disagreement.
import { areEqualScalars, isAbsent, isObject, type JsonObject } from "./equality.ts";
import { type ComparedAs, type Ruling, rulingOf } from "./ruling.ts";
import { stableJson } from "./stable-json.ts";

/** A field that we set and that is not so on the server. */
export interface Disagreement {
  /** `spec.template.spec.containers[name=web].image` */
  readonly path: string;
  readonly desired: unknown;
  /** Undefined where the server has no such field. */
  readonly live: unknown;
}

/**
 * The first disagreement, if any. An absent or null field sets nothing. Lists follow server-side apply: by key or as a
 * set where the schema says so; any other list is set as a whole, though the server may add defaults within its items.
 */
export function findDisagreement(desired: unknown, live: unknown, as?: ComparedAs): Disagreement | undefined {
  return compare(withoutKind(desired), live, rulingOf(desired, as));
}

/** Items of a list lack apiVersion and kind, and who compares has asked for the kind anyway. */
function withoutKind(desired: unknown): unknown {
  if (!isObject(desired)) return desired;
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = desired;
  return rest;
}

function compare(desired: unknown, live: unknown, ruling: Ruling): Disagreement | undefined {
  if (isAbsent(desired)) return undefined;
  if (Array.isArray(desired)) return compareLists(desired, live ?? [], ruling);
  if (isObject(desired)) return compareObjects(desired, ruling.rule.map === true ? (live ?? {}) : live, ruling);
  return areEqualScalars(desired, live, ruling) ? undefined : { path: "", desired, live };
}

function compareObjects(desired: JsonObject, live: unknown, ruling: Ruling): Disagreement | undefined {
  if (!isObject(live)) return { path: "", desired, live };
  const extra = ruling.rule.whole === true ? Object.keys(live).find((name) => isAbsent(desired[name])) : undefined;
  if (extra !== undefined) return { path: fieldStep(extra), desired: undefined, live: live[extra] };
  return first(
    Object.keys(desired),
    (name) => compare(desired[name], live[name], ruling.field(name)),
    (name) => fieldStep(name),
  );
}

function compareLists(desired: readonly unknown[], live: unknown, ruling: Ruling): Disagreement | undefined {
  if (!Array.isArray(live)) return { path: "", desired, live };
  if (ruling.rule.keys !== undefined) return compareByKey(desired, live, ruling);
  if (ruling.rule.set === true) return compareSets(desired, live);
  if (desired.length !== live.length) return { path: "", desired, live };
  return first(
    [...desired.keys()],
    (index) => compare(desired[index], live[index], ruling.item()),
    (index) => `[${index}]`,
  );
}

function compareByKey(desired: readonly unknown[], live: readonly unknown[], ruling: Ruling): Disagreement | undefined {
  const { keys = [], keyDefaults = {} } = ruling.rule;
  const keyOf = (item: unknown): string =>
    keys.map((key) => `${key}=${text((isObject(item) ? item[key] : undefined) ?? keyDefaults[key])}`).join(",");
  const liveByKey = new Map(live.map((item) => [keyOf(item), item]));
  return first(
    desired,
    (item) => compare(item, liveByKey.get(keyOf(item)), ruling.item()),
    (item) => `[${keyOf(item)}]`,
  );
}

function compareSets(desired: readonly unknown[], live: readonly unknown[]): Disagreement | undefined {
  const present = new Set(live.map(stableJson));
  const missing = desired.find((value) => !present.has(stableJson(value)));
  return missing === undefined ? undefined : { path: `[=${text(missing)}]`, desired: missing, live: undefined };
}

/** Its path is put together on the way back: nearly always there is none to tell. */
function first<T>(
  items: readonly T[],
  find: (item: T) => Disagreement | undefined,
  stepOf: (item: T) => string,
): Disagreement | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return { ...found, path: joined(stepOf(item), found.path) };
  }
  return undefined;
}

function fieldStep(name: string): string {
  return /^\w+$/.test(name) ? name : `[${JSON.stringify(name)}]`;
}

function joined(step: string, path: string): string {
  return path === "" || path.startsWith("[") ? step + path : `${step}.${path}`;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : stableJson(value);
}
