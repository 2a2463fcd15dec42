import type { JsonObject } from "../schema/json.ts";
import { type Comparison, compare } from "./compare.ts";
import { FieldSet } from "./field-set.ts";
import { fieldSetOf } from "./field-set-of.ts";
import { identityOf, type Manager, type Managers } from "./managers.ts";
import { merge } from "./merge.ts";
import type { MergeType } from "./merge-type.ts";
import { reconcileWithType } from "./reconcile.ts";
import { removeItems, withNamedFields } from "./remove-items.ts";

/** An object as one version of its resource sees it. */
export interface Versioned {
  readonly object: JsonObject;
  readonly type: MergeType;
}

/** The resource as the request speaks of it. */
export interface Endpoint {
  readonly apiVersion: string;
  readonly type: MergeType;
  /** Fields that nobody can own through this endpoint. */
  readonly reset: FieldSet;
  /** Undefined: a version that is no longer served; its managers are forgotten. */
  readonly at: (object: JsonObject, apiVersion: string) => Versioned | undefined;
}

export interface Conflict {
  readonly identity: string;
  readonly manager: Manager;
  readonly set: FieldSet;
}

type Owner = Omit<Manager, "set">;

/** After an update, create or patch: what the managers keep, and what the one who wrote gained. */
export function updateManagers(
  endpoint: Endpoint,
  change: Change,
  managers: Managers,
): { others: Managers; gained: FieldSet } {
  const current = reconcileManagers(endpoint, change.live, managers);
  const { managers: others, comparison } = loseFields(endpoint, change, current, {});
  const { modified, added } = comparison();
  return { others, gained: modified.union(added) };
}

export interface Change {
  readonly live: JsonObject;
  readonly next: JsonObject;
}

export type Applied =
  | { readonly conflicts: readonly Conflict[] }
  | { readonly conflicts: undefined; readonly object: JsonObject; readonly managers: Managers };

/** Live with the configuration merged in, and without what `owner` applied before but no longer does. */
export function applyConfiguration(
  endpoint: Endpoint,
  { live, applied, owned }: Application,
  managers: Managers,
  { owner, force }: { readonly owner: Owner; readonly force: boolean },
): Applied {
  const current = new Map(reconcileManagers(endpoint, live, managers));
  const identity = identityOf(owner);
  const last = current.get(identity);
  const set = owned.recursiveDifference(endpoint.reset);
  current.set(identity, { ...owner, ...(last?.time === undefined ? {} : { time: last.time }), set });
  const merged = merge(endpoint.type, live, applied) as JsonObject;
  const next = last === undefined ? merged : removeAbandoned(endpoint, merged, current, last);
  const outcome = loseFields(endpoint, { live, next }, current, { except: identity });
  if (!force && outcome.conflicts.length > 0) return { conflicts: outcome.conflicts };
  return { conflicts: undefined, object: next, managers: outcome.managers };
}

interface Application {
  readonly live: JsonObject;
  readonly applied: JsonObject;
  /** The fields of what is applied. */
  readonly owned: FieldSet;
}

function reconcileManagers(endpoint: Endpoint, live: JsonObject, managers: Managers): Managers {
  const result = new Map<string, Manager>();
  for (const [identity, manager] of managers) {
    const type =
      manager.apiVersion === endpoint.apiVersion ? endpoint.type : endpoint.at(live, manager.apiVersion)?.type;
    if (type === undefined) continue;
    const set = reconcileWithType(type, manager.set);
    result.set(identity, set === manager.set ? manager : { ...manager, set });
  }
  return result;
}

interface Loss {
  readonly managers: Managers;
  readonly comparison: () => Comparison;
  readonly conflicts: readonly Conflict[];
}

/** Every manager but one loses the fields whose values the change sets or removes. */
function loseFields(endpoint: Endpoint, change: Change, managers: Managers, { except }: { except?: string }): Loss {
  const comparisons = new Map<string, Comparison | undefined>();
  const comparisonAt = (apiVersion: string): Comparison | undefined => {
    if (!comparisons.has(apiVersion)) comparisons.set(apiVersion, compareAt(endpoint, change, apiVersion));
    return comparisons.get(apiVersion);
  };
  const result = new Map<string, Manager>();
  const conflicts: Conflict[] = [];
  for (const [identity, manager] of managers) {
    if (identity === except) {
      if (!manager.set.isEmpty) result.set(identity, manager);
      continue;
    }
    const comparison = comparisonAt(manager.apiVersion);
    if (comparison === undefined) continue;
    const taken = manager.set.intersection(comparison.modified.union(comparison.added));
    if (!taken.isEmpty) conflicts.push({ identity, manager, set: taken });
    const set = manager.set.difference(taken).difference(comparison.removed);
    if (!set.isEmpty) result.set(identity, set === manager.set ? manager : { ...manager, set });
  }
  return { managers: result, comparison: () => comparisonAt(endpoint.apiVersion) as Comparison, conflicts };
}

function compareAt(endpoint: Endpoint, { live, next }: Change, apiVersion: string): Comparison | undefined {
  if (apiVersion === endpoint.apiVersion) return filtered(compare(endpoint.type, live, next), endpoint.reset);
  const before = endpoint.at(live, apiVersion);
  const after = endpoint.at(next, apiVersion);
  return before && after && filtered(compare(before.type, before.object, after.object), endpoint.reset);
}

function filtered({ removed, modified, added }: Comparison, reset: FieldSet): Comparison {
  return {
    removed: removed.recursiveDifference(reset),
    modified: modified.recursiveDifference(reset),
    added: added.recursiveDifference(reset),
  };
}

/** Without what `last` owned, unless it is still owned by somebody (the new configuration included). */
function removeAbandoned(endpoint: Endpoint, merged: JsonObject, managers: Managers, last: Manager): JsonObject {
  const still = managers.get(identityOf(last));
  if (still !== undefined && still.apiVersion === last.apiVersion && last.set.isSubsetOf(still.set)) return merged;
  const before = endpoint.at(merged, last.apiVersion);
  if (before === undefined) return merged;
  const { object, type } = before;
  const lastNamed = withNamedFields(type, last.set);
  const pruned = removeItems(type, object, lastNamed);
  const kept = addBackOwned(endpoint, before, pruned, managers);
  // Only what the manager itself owned goes; what nobody owns, or an updater, stays.
  const all = withNamedFields(type, fieldSetOf(type, object));
  const remaining = withNamedFields(type, fieldSetOf(type, kept));
  const result = removeItems(type, object, all.difference(remaining).intersection(lastNamed)) as JsonObject;
  return endpoint.at(result, endpoint.apiVersion)?.object ?? merged;
}

function addBackOwned(endpoint: Endpoint, before: Versioned, pruned: unknown, managers: Managers): unknown {
  const owned = new Map<string, FieldSet>();
  for (const { apiVersion, set } of managers.values()) {
    owned.set(apiVersion, (owned.get(apiVersion) ?? FieldSet.empty).union(set));
  }
  const apiVersion = String(before.object["apiVersion"]);
  // The version that was pruned comes first: others may need its required fields to convert.
  const versions = [...owned.keys()].toSorted(
    (left, right) => Number(right === apiVersion) - Number(left === apiVersion),
  );
  let kept = pruned;
  for (const version of versions) {
    const all = endpoint.at(before.object, version);
    const rest = endpoint.at(kept as JsonObject, version);
    const set = owned.get(version);
    if (all === undefined || rest === undefined || set === undefined) continue;
    const { type, object } = all;
    const allSet = withNamedFields(type, fieldSetOf(type, object));
    const keptSet = withNamedFields(type, fieldSetOf(type, rest.object)).union(withNamedFields(type, set));
    kept = removeItems(type, object, allSet.difference(keptSet));
  }
  return endpoint.at(kept as JsonObject, apiVersion)?.object ?? kept;
}
