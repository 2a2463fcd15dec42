// The trees of managedFields (FieldsV1): `f:` fields, `k:` items by key, `v:` values, `.` the node itself. A node without
// children is a member of the set.

import { isMap } from "./payload.ts";

export interface FieldTree {
  readonly [part: string]: FieldTree;
}

export type Json = Readonly<Record<string, unknown>>;

export function isEmpty(tree: FieldTree): boolean {
  return Object.keys(tree).length === 0;
}

/** What is in either. */
export function union(a: FieldTree, b: FieldTree): FieldTree {
  const merged: Record<string, FieldTree> = { ...a };
  for (const [part, below] of Object.entries(b)) {
    const mine = a[part];
    merged[part] = mine === undefined ? below : union(withSelf(mine, below), withSelf(below, mine));
  }
  return merged;
}

/** What is in `a` and not in `b`; containers that hold nothing more go too. */
export function minus(a: FieldTree, b: FieldTree): FieldTree {
  return prune(a, (part, below) => {
    const taken = b[part];
    if (taken === undefined) return below;
    if (isEmpty(below)) return isMember(taken) ? undefined : below;
    const left = minus(below, isEmpty(taken) ? { ".": {} } : taken);
    return isContainerOnly(left) ? undefined : left;
  });
}

/** What of `a` is also in `b`. List items that both name are taken whole: a half-owned item could never be removed. */
export function shared(a: FieldTree, b: FieldTree): FieldTree {
  return prune(a, (part, below) => {
    const other = b[part];
    if (other === undefined) return undefined;
    if (isEmpty(below) || isListItem(part)) return isMember(other) || isListItem(part) ? below : undefined;
    const common = shared(below, isEmpty(other) ? { ".": {} } : other);
    return isEmpty(common) ? undefined : common;
  });
}

/** The part of a tree that belongs to `fields`; where `others` go deeper into the same map, only what `fields` names there. */
export function below(tree: FieldTree, fields: Json, others: Json): FieldTree {
  return prune(tree, (part, subtree) => {
    const name = part.startsWith("f:") ? part.slice(2) : undefined;
    if (name === undefined || !(name in fields)) return undefined;
    const [mine, theirs] = [fields[name], others[name]];
    if (!isMap(mine) || !isMap(theirs)) return subtree;
    const found = below(subtree, mine, theirs);
    return isEmpty(found) ? undefined : found;
  });
}

/** Whether every field of the JSON value is in the tree. */
export function covers(tree: FieldTree, value: unknown): boolean {
  if (isEmpty(tree)) return true;
  if (Array.isArray(value)) return value.every((item) => coversItem(tree, item));
  if (!isMap(value)) return true;
  const fields = Object.entries(value).filter(([, child]) => child !== undefined && child !== null);
  if (fields.length === 0) return isMember(tree);
  return fields.every(([name, child]) => {
    const node = tree[`f:${name}`];
    return node !== undefined && covers(node, child);
  });
}

function coversItem(tree: FieldTree, item: unknown): boolean {
  if (!isMap(item)) return `v:${JSON.stringify(item)}` in tree;
  return Object.entries(tree).some(
    ([part, node]) => part.startsWith("k:") && isKeyOf(part.slice(2), item) && covers(node, item),
  );
}

/** A key field that the item leaves out has the server's default. */
export function isKeyOf(key: string, item: Json): boolean {
  const fields = Object.entries(JSON.parse(key) as Json);
  return fields.every(([name, value]) => item[name] === undefined || item[name] === value);
}

function prune(
  tree: FieldTree,
  keep: (part: string, below: FieldTree) => FieldTree | undefined,
): Record<string, FieldTree> {
  const kept: Record<string, FieldTree> = {};
  for (const [part, subtree] of Object.entries(tree)) {
    const left = keep(part, subtree);
    if (left !== undefined) kept[part] = left;
  }
  return kept;
}

function withSelf(tree: FieldTree, other: FieldTree): FieldTree {
  return isEmpty(tree) && !isEmpty(other) ? { ".": {} } : tree;
}

function isMember(tree: FieldTree): boolean {
  return isEmpty(tree) || "." in tree;
}

function isContainerOnly(tree: FieldTree): boolean {
  return Object.keys(tree).every((part) => part === ".");
}

function isListItem(part: string): boolean {
  return part.startsWith("k:") || part.startsWith("v:");
}
