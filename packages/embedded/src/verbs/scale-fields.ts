// Who owns the replicas when they are written through `scale`: the object's managedFields become those of its Scale,
// are tracked there, and come back. What the real server loses on that way (times, whose entry it was) is lost here too.
import { at, objectsAt, stringAt } from "../schema/fields.ts";
import { isObject, type JsonObject } from "../schema/json.ts";

const SCALE_VERSION = "autoscaling/v1";
const IN_SCALE: readonly string[] = ["spec", "replicas"];

/** The entries of the Scale: whoever owns the object's replicas owns those of the Scale. */
export function toScaleEntries(entries: readonly JsonObject[], replicas: readonly string[]): JsonObject[] {
  return entries
    .filter((entry) => owns(entry, replicas))
    .map((entry) => ({ ...entry, apiVersion: SCALE_VERSION, fieldsV1: { "f:spec": { "f:replicas": {} } } }));
}

export interface ParentFields {
  readonly entries: readonly JsonObject[];
  readonly replicas: readonly string[];
  readonly apiVersion: string;
}

/** The object's entries after its Scale was written. */
export function toParentEntries(
  { entries, replicas, apiVersion }: ParentFields,
  scaleEntries: readonly JsonObject[],
): JsonObject[] {
  const scale = new Map(scaleEntries.map((entry) => [identityOf(entry), entry]));
  const kept = entries.flatMap((entry) => {
    if (!owns(entry, replicas)) return [entry];
    if (scale.delete(identityOf(entry))) return [entry];
    const fieldsV1 = without(entry["fieldsV1"], replicas);
    return fieldsV1 === undefined ? [] : [{ ...entry, fieldsV1 }];
  });
  const gained = [...scale.values()]
    .filter((entry) => owns(entry, IN_SCALE))
    .map(({ time: _time, ...entry }) => ({
      ...entry,
      apiVersion,
      fieldsV1: nested(replicas),
    }));
  return [...kept, ...gained].toSorted(compareEntries);
}

function owns(entry: JsonObject, path: readonly string[]): boolean {
  return at(entry, "fieldsV1", ...path.map((segment) => `f:${segment}`)) !== undefined;
}

/** Appliers are the same whatever version they speak. */
function identityOf(entry: JsonObject): string {
  const { manager, operation, apiVersion, subresource = "" } = entry;
  return JSON.stringify([manager, operation, operation === "Apply" ? "" : apiVersion, subresource]);
}

/** Undefined: nothing is left. */
function without(fields: unknown, [first, ...rest]: readonly string[]): JsonObject | undefined {
  if (!isObject(fields) || first === undefined) return undefined;
  const { [`f:${first}`]: child, ...others } = fields;
  const left = rest.length > 0 ? without(child, rest) : undefined;
  const result = left === undefined ? others : { ...others, [`f:${first}`]: left };
  const keys = Object.keys(result);
  if (keys.length === 0) return undefined;
  return keys.length === 1 && keys[0] === "." ? {} : result;
}

function nested([first, ...rest]: readonly string[]): JsonObject {
  return first === undefined ? {} : { [`f:${first}`]: nested(rest) };
}

function compareEntries(left: JsonObject, right: JsonObject): number {
  for (const key of ["operation", "time", "manager", "apiVersion", "subresource"]) {
    const [a, b] = [stringAt(left, key), stringAt(right, key)];
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}

export function entriesOf(object: JsonObject): JsonObject[] {
  return objectsAt(object, "metadata", "managedFields");
}

export function withEntries(object: JsonObject, entries: readonly JsonObject[]): JsonObject {
  const metadata = at(object, "metadata");
  return { ...object, metadata: { ...(isObject(metadata) ? metadata : {}), managedFields: entries } };
}
