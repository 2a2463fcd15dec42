import type { KubeObject, ManagedFieldsEntry } from "@chaski/kube";
import { below, covers, type FieldTree, isEmpty, type Json, minus, shared, union } from "./managed-fields.ts";

/** Owns what is given at creation only. It never applies again, so nothing of it is ever removed. */
export const INITIAL_MANAGER = "chaski-initial";

export function managerOf(controller: string): string {
  return `chaski-${controller}`;
}

export interface Takeover {
  readonly manager: string;
  /** Managers whose fields become ours whole: those of an operator that we replace. */
  readonly replaced: readonly string[];
  /** What we apply. */
  readonly object: KubeObject;
  readonly initial: Json;
  /** What the server would say that we own after the apply. */
  readonly ours: FieldTree;
}

/**
 * managedFields as they must be before our first apply, so that nothing stays co-owned for ever: what the creation gave
 * on our behalf, what a replaced operator owned, and what plain updates hold of our fields becomes ours; initial fields
 * stay with `chaski-initial`. Undefined if nothing has to move.
 */
export function takenOver(
  entries: readonly ManagedFieldsEntry[],
  takeover: Takeover,
): readonly ManagedFieldsEntry[] | undefined {
  const apiVersion = takeover.object.apiVersion;
  const moved: Record<"ours" | "initial", FieldTree> = { ours: treeOf(find(entries, takeover.manager)), initial: {} };
  const kept: ManagedFieldsEntry[] = [];
  move(treeOf(find(entries, INITIAL_MANAGER)));

  for (const entry of entries) {
    if (isAppliedBy(entry, takeover.manager) || isAppliedBy(entry, INITIAL_MANAGER)) continue;
    const left = entry.subresource ? entry : relieve(entry);
    if (left) kept.push(left);
  }
  const result = [
    ...kept,
    ...applyEntry(takeover.manager, apiVersion, moved.ours),
    ...applyEntry(INITIAL_MANAGER, apiVersion, moved.initial),
  ];
  return isSameOwnership(entries, result) ? undefined : result;

  function relieve(entry: ManagedFieldsEntry): ManagedFieldsEntry | undefined {
    const isReplaced = takeover.replaced.includes(entry.manager ?? "");
    // Paths of another version mean something else; left without an owner they can't hold on to anything.
    if (entry.apiVersion !== apiVersion) return isReplaced ? undefined : entry;
    if (!isReplaced && entry.operation !== "Update") return entry;
    const fields = treeOf(entry);
    const taken = isReplaced ? fields : minus(shared(fields, takeover.ours), initialPart(fields));
    if (isEmpty(taken)) return entry;
    move(taken);
    const left = minus(fields, taken);
    return isEmpty(left) ? undefined : { ...entry, fieldsV1: left };
  }

  function move(fields: FieldTree): void {
    const initial = initialPart(fields);
    moved.initial = union(moved.initial, initial);
    moved.ours = union(moved.ours, minus(fields, initial));
  }

  function initialPart(fields: FieldTree): FieldTree {
    const { object, initial } = takeover;
    const applied = object as unknown as Json;
    return union(below(fields, initial, applied), below(fields, NEVER_APPLIED, applied));
  }
}

export interface Taking {
  readonly manager: string;
  readonly apiVersion: string;
  /** Of what somebody else owns, the part that becomes ours. */
  readonly choose: (fields: FieldTree) => FieldTree;
}

/** managedFields after the manager took what it chose from everybody; undefined if that is nothing. */
export function takenFrom(
  { metadata }: Readonly<KubeObject>,
  { manager, apiVersion, choose }: Taking,
): readonly ManagedFieldsEntry[] | undefined {
  const entries = metadata.managedFields ?? [];
  const isOthers = (entry: ManagedFieldsEntry): boolean =>
    !entry.subresource && entry.apiVersion === apiVersion && !isAppliedBy(entry, manager);
  const taken = entries.filter(isOthers).map((entry) => choose(treeOf(entry)));
  const ours = taken.reduce(union, treeOf(find(entries, manager)));
  if (taken.every(isEmpty)) return undefined;
  const left = entries
    .filter((entry) => !isAppliedBy(entry, manager))
    .map((entry) => (isOthers(entry) ? { ...entry, fieldsV1: minus(treeOf(entry), choose(treeOf(entry))) } : entry));
  return [...left.filter((entry) => !isEmpty(treeOf(entry))), ...applyEntry(manager, apiVersion, ours)];
}

/** Taken over, replicas would fall to 1 with our next apply; and where we set no spec at all, the spec is left as it is. */
const NEVER_APPLIED: Json = { spec: { replicas: 0 } };

/** Whether plain updates hold fields that our apply would share: then the server has to be asked which. */
export function hasPlainUpdates(entries: readonly ManagedFieldsEntry[]): boolean {
  return entries.some(({ operation, subresource }) => operation === "Update" && !subresource);
}

/** The fields that a manager has applied. */
export function appliedFields(object: Readonly<KubeObject>, manager: string, subresource?: string): FieldTree {
  const entries = object.metadata.managedFields ?? [];
  return treeOf(entries.find((entry) => isAppliedBy(entry, manager, subresource)));
}

/** Whether nobody has taken a field from the manager since it applied this: then each has the value that came of it. */
export function stillOwns(object: Readonly<KubeObject>, manager: string, applied: KubeObject): boolean {
  const { labels, annotations, ownerReferences, finalizers } = applied.metadata;
  const metadata = { labels, annotations, ownerReferences, finalizers };
  const owned = appliedFields(object, manager);
  return !isEmpty(owned) && covers(owned, { ...applied, apiVersion: undefined, kind: undefined, metadata });
}

function find(entries: readonly ManagedFieldsEntry[], manager: string): ManagedFieldsEntry | undefined {
  return entries.find((entry) => isAppliedBy(entry, manager));
}

function isAppliedBy(entry: ManagedFieldsEntry, manager: string, subresource?: string): boolean {
  return entry.manager === manager && entry.operation === "Apply" && (entry.subresource || undefined) === subresource;
}

function treeOf(entry: ManagedFieldsEntry | undefined): FieldTree {
  return (entry?.fieldsV1 ?? {}) as FieldTree;
}

function applyEntry(manager: string, apiVersion: string, fields: FieldTree): ManagedFieldsEntry[] {
  if (isEmpty(fields)) return [];
  return [{ manager, operation: "Apply", apiVersion, fieldsType: "FieldsV1", fieldsV1: fields }];
}

function isSameOwnership(before: readonly ManagedFieldsEntry[], after: readonly ManagedFieldsEntry[]): boolean {
  const word = ({ manager, operation, subresource, fieldsV1 }: ManagedFieldsEntry): string =>
    JSON.stringify([manager, operation, subresource ?? "", sorted(fieldsV1 as FieldTree)]);
  return before.map(word).toSorted().join() === after.map(word).toSorted().join();
}

function sorted(tree: FieldTree): FieldTree {
  const parts = Object.entries(tree).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(parts.map(([part, below]) => [part, sorted(below)]));
}
