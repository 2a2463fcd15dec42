// From a seed to a sequence of operations on one kind, under two names.
import { type Random, seededRandom } from "@chaski/clock";
import { type FuzzedKind, METADATA } from "./kinds.ts";
import { combine, deepMerge, type Json } from "./json.ts";
import type { Operation, Sequence, Verb } from "./operation.ts";

const LENGTH_MIN = 3;
const LENGTH_MAX = 10;
const NAMES = ["one", "one", "one", "two"];
const ODDS: Readonly<Record<Verb, number>> = {
  create: 2,
  update: 2,
  merge: 2,
  strategic: 2,
  json: 2,
  apply: 5,
  delete: 1,
  clear: 1,
  get: 1,
  list: 1,
};
const VERBS = Object.entries(ODDS).flatMap(([verb, odds]) => Array.from({ length: odds }, () => verb as Verb));
const MANAGERS = ["alice", "bob", "carol"];
const SELECTIONS = ["labelSelector=app%3Dweb", "labelSelector=app%21%3Dweb,tier", "fieldSelector=metadata.name%3Done"];
const DELETIONS = [
  undefined,
  undefined,
  { propagationPolicy: "Foreground" },
  { propagationPolicy: "Orphan" },
  { propagationPolicy: "Background" },
  { preconditions: { uid: "00000000-0000-4000-8000-000000000000" } },
  { gracePeriodSeconds: 0 },
  { propagationPolicy: "Sideways" },
];

export function generate(seed: number, kinds: readonly FuzzedKind[]): Sequence {
  const choose = new Choice(seededRandom(seed));
  const kind = choose.one(kinds);
  const length = LENGTH_MIN + choose.below(LENGTH_MAX - LENGTH_MIN);
  const first: Operation = choose.chance(0.5) ? create(choose, kind) : apply(choose, kind);
  const rest = Array.from({ length }, () => operation(choose, kind));
  return { seed, kind, operations: [first, ...rest] };
}

function operation(choose: Choice, kind: FuzzedKind): Operation {
  const verb = choose.one(VERBS);
  if (verb === "create") return create(choose, kind);
  if (verb === "apply") return apply(choose, kind);
  const target = { verb, ...where(choose, kind) };
  if (verb === "get") return { ...target, ...within(choose, kind) };
  if (verb === "list" || verb === "clear") return { ...target, query: choose.one(SELECTIONS) };
  if (verb === "delete") return withBody(target, choose.one(DELETIONS), choose.chance(0.1) ? "dryRun=All" : undefined);
  return change(target, choose, kind);
}

function where(choose: Choice, kind: FuzzedKind): { name: string; apiVersion: string } {
  return { name: choose.one(NAMES), apiVersion: choose.one(kind.apiVersions) };
}

function within(choose: Choice, kind: FuzzedKind): { subresource?: string } {
  return kind.subresources.length > 0 && choose.chance(0.25) ? { subresource: choose.one(kind.subresources) } : {};
}

function change(target: Pick<Operation, "verb" | "name" | "apiVersion">, choose: Choice, kind: FuzzedKind): Operation {
  const place = within(choose, kind);
  const query = queryOf(choose, [`fieldManager=${choose.one(MANAGERS)}`]);
  const body = target.verb === "json" ? choose.some(kind.jsonPatches, 2) : contents(choose, kind, place.subresource);
  const version =
    target.verb === "update" ? { version: choose.one(["current", "current", "none", "stale"] as const) } : {};
  return { ...target, ...place, ...version, query, body };
}

function create(choose: Choice, kind: FuzzedKind): Operation {
  const target = where(choose, kind);
  const head = { apiVersion: target.apiVersion, kind: kind.kind, metadata: { name: target.name } };
  const body = deepMerge(deepMerge(head, kind.base), withoutNulls(contents(choose, kind)));
  return { verb: "create", ...target, query: queryOf(choose, [`fieldManager=${choose.one(MANAGERS)}`]), body };
}

function apply(choose: Choice, kind: FuzzedKind): Operation {
  const target = where(choose, kind);
  const anywhere = within(choose, kind);
  // The real server fails on an apply to the scale of a custom resource, but only when it would change something, and
  // then forgets who manages what. Here every one is refused.
  const place = anywhere.subresource === "scale" && kind.isCustom ? {} : anywhere;
  const head = { apiVersion: target.apiVersion, kind: place.subresource === "scale" ? "Scale" : kind.kind };
  const start = choose.chance(0.6) && !place.subresource ? deepMerge(head, kind.base) : head;
  // Of an applied Scale that says no replicas, the real server forgets who sets them next.
  const scaled =
    place.subresource === "scale" ? { apiVersion: "autoscaling/v1", spec: { replicas: choose.below(4) } } : {};
  const body = { ...deepMerge(start, withoutNulls(contents(choose, kind, place.subresource))), ...scaled };
  const force = choose.chance(0.3) ? ["force=true"] : [];
  const query = queryOf(choose, [`fieldManager=${choose.one(MANAGERS)}`, ...force]);
  return { verb: "apply", ...target, ...place, query, body };
}

function contents(choose: Choice, kind: FuzzedKind, subresource?: string): Json {
  const own = { status: kind.statuses, scale: SCALES }[subresource ?? ""] ?? kind.fragments;
  const metadata = choose.chance(0.3) ? [choose.one(METADATA)] : [];
  return [...choose.some(own, 2), ...metadata].reduce(combine, {});
}

const SCALES = [{ spec: { replicas: 3 } }, { spec: { replicas: 0 } }, { spec: { replicas: -1 } }, { spec: {} }];

function queryOf(choose: Choice, parts: readonly string[]): string {
  const dryRun = choose.chance(0.05) ? ["dryRun=All"] : [];
  const strict = choose.chance(0.1) ? ["fieldValidation=Strict"] : [];
  return [...parts, ...dryRun, ...strict].join("&");
}

function withBody(target: Operation, body: Json, query: string | undefined): Operation {
  return { ...target, ...(body !== undefined && { body }), ...(query !== undefined && { query }) };
}

/** Nor what is empty without them: the real server tells an empty map from none in some places, and hides it. */
function withoutNulls(value: Json): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value)
    .map(([key, child]) => [key, withoutNulls(child)] as const)
    .filter(([key, child]) => child !== null && !isEmptied(value[key], child));
  return Object.fromEntries(kept);
}

function isEmptied(before: Json, after: Json): boolean {
  return JSON.stringify(after) === "{}" && JSON.stringify(before) !== "{}";
}

class Choice {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  one<T>(of: readonly T[]): T {
    return of[this.below(of.length)] as T;
  }

  /** One up to `most`, in any order. */
  some<T>(of: readonly T[], most: number): T[] {
    return Array.from({ length: 1 + this.below(most) }, () => this.one(of));
  }
}
