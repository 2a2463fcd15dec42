import { compareStrings, goJson } from "../schema/go-format.ts";
import { isObject, type JsonObject } from "../schema/json.ts";
import type { FieldSet } from "./field-set.ts";
import { decodeFields, encodeFields } from "./fields-v1.ts";

/** One entry of managedFields. */
export interface Manager {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time?: string;
  readonly set: FieldSet;
}

/** By identity; a manager without fields is not in it. */
export type Managers = ReadonlyMap<string, Manager>;

const IDENTITIES_MAX = 1_000;
const identities = new Map<string, string>();

/** Appliers are the same manager in every version, updaters are not. */
export function identityOf(owner: Omit<Manager, "set" | "time">): string {
  const { manager, operation, apiVersion, subresource } = owner;
  const key = `${operation} ${apiVersion.length} ${subresource.length} ${apiVersion}${subresource}${manager}`;
  const found = identities.get(key);
  if (found !== undefined) return found;
  if (identities.size >= IDENTITIES_MAX) identities.clear();
  const identity = writeIdentity(owner);
  identities.set(key, identity);
  return identity;
}

function writeIdentity({ manager, operation, apiVersion, subresource }: Omit<Manager, "set" | "time">): string {
  const parts = [`"operation":${goJson(operation)}`];
  if (manager !== "") parts.unshift(`"manager":${goJson(manager)}`);
  if (operation === "Update") parts.push(`"apiVersion":${goJson(apiVersion)}`);
  if (subresource !== "") parts.push(`"subresource":${goJson(subresource)}`);
  return `{${parts.join(",")}}`;
}

/** Undefined: the entries are malformed. */
export function decodeManagers(entries: unknown): Managers | undefined {
  const managers = new Map<string, Manager>();
  if (!Array.isArray(entries)) return managers;
  for (const entry of entries) {
    const manager = decodeManager(entry);
    if (manager === undefined) return undefined;
    managers.set(identityOf(manager), manager);
  }
  return managers;
}

// Stored entries are never changed in place.
const known = new WeakMap<object, Manager>();

function decodeManager(entry: unknown): Manager | undefined {
  if (!isObject(entry)) return undefined;
  const found = known.get(entry);
  if (found !== undefined) return found;
  const manager = readManager(entry);
  if (manager !== undefined) known.set(entry, manager);
  return manager;
}

function readManager(entry: JsonObject): Manager | undefined {
  const { operation, apiVersion, fieldsType, manager, subresource, time } = entry;
  if (operation !== "Apply" && operation !== "Update") return undefined;
  if (typeof apiVersion !== "string" || apiVersion === "" || fieldsType !== "FieldsV1") return undefined;
  return {
    manager: textOf(manager),
    operation,
    apiVersion,
    subresource: textOf(subresource),
    ...(typeof time === "string" ? { time } : {}),
    set: decodeFields(entry["fieldsV1"]),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** In the server's order: appliers first, then by time, then by name. */
export function encodeManagers(managers: Managers): JsonObject[] {
  return [...managers.values()].toSorted(compareManagers).map(encodeManager);
}

// Sets are shared between objects, and those that are written within one second share the whole entry.
const latest = new WeakMap<FieldSet, JsonObject>();

function encodeManager(owner: Manager): JsonObject {
  const found = latest.get(owner.set);
  if (found !== undefined && isEntryOf(found, owner)) return found;
  const entry = writeEntry(owner);
  known.set(entry, owner);
  latest.set(owner.set, entry);
  return entry;
}

function isEntryOf(entry: JsonObject, { manager, operation, apiVersion, time, subresource }: Manager): boolean {
  const written = known.get(entry);
  return (
    written?.time === time &&
    written?.manager === manager &&
    written.operation === operation &&
    written.apiVersion === apiVersion &&
    written.subresource === subresource
  );
}

function writeEntry({ manager, operation, apiVersion, time, set, subresource }: Manager): JsonObject {
  return {
    ...(manager === "" ? {} : { manager }),
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: "FieldsV1",
    fieldsV1: encodeFields(set),
    ...(subresource === "" ? {} : { subresource }),
  };
}

function compareManagers(left: Manager, right: Manager): number {
  return (
    compareStrings(left.operation, right.operation) ||
    secondsOf(left) - secondsOf(right) ||
    compareStrings(left.manager, right.manager) ||
    compareStrings(left.apiVersion, right.apiVersion) ||
    compareStrings(left.subresource, right.subresource)
  );
}

function secondsOf({ time }: Pick<Manager, "time">): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

const updateManagersMax = 10;

/** More updaters than the limit: the oldest become one, `ancient-changes`, per version. */
export function capUpdateManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === "Update");
  let excess = updaters.length - updateManagersMax;
  if (excess <= 0) return managers;
  const oldestFirst = updaters.toSorted(
    ([leftId, left], [rightId, right]) => secondsOf(left) - secondsOf(right) || compareStrings(leftId, rightId),
  );
  const result = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  for (const [identity, updater] of oldestFirst) {
    if (excess <= 0) break;
    const first = firstOfVersion.get(updater.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(updater.apiVersion, identity);
      continue;
    }
    mergeIntoBucket(result, first, identity);
    excess--;
  }
  return result;
}

function mergeIntoBucket(managers: Map<string, Manager>, first: string, identity: string): void {
  const updater = managers.get(identity);
  if (updater === undefined) return;
  const shape = {
    manager: "ancient-changes",
    operation: "Update",
    apiVersion: updater.apiVersion,
    subresource: "",
  } as const;
  const bucketId = identityOf(shape);
  const bucket = managers.get(bucketId) ?? managers.get(first);
  if (!managers.has(bucketId)) managers.delete(first);
  managers.delete(identity);
  managers.set(bucketId, {
    ...shape,
    ...(updater.time === undefined ? {} : { time: updater.time }),
    set: bucket === undefined ? updater.set : bucket.set.union(updater.set),
  });
}
