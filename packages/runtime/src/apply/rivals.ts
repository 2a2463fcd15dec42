import type { KubeObject, ManagedFieldsEntry } from "@chaski/kube";
import { takenFrom } from "./field-ownership.ts";
import { type FieldTree, isEmpty, isKeyOf, type Json } from "./managed-fields.ts";
import { isMap } from "./payload.ts";

/**
 * Somebody gives an item of ours another key, such as a Service's port another number: applied again, ours would stand
 * beside it under the same name, which the server refuses. What is left out by its only owner goes, so such items are
 * made ours first. Returns managedFields as they must be then; undefined if there is no such item.
 */
export function withRivalsOurs(
  live: Readonly<KubeObject>,
  manager: string,
  applied: KubeObject,
): readonly ManagedFieldsEntry[] | undefined {
  return takenFrom(live, { manager, apiVersion: applied.apiVersion, choose: (tree) => rivalsIn(tree, applied, live) });
}

function rivalsIn(tree: FieldTree, ours: unknown, live: unknown): FieldTree {
  const chosen = Object.entries(tree).map(([part, below]) => [part, rivalsBelow(part, below, [ours, live])] as const);
  return Object.fromEntries(chosen.filter(([, below]) => below !== undefined && !isEmpty(below))) as FieldTree;
}

function rivalsBelow(part: string, tree: FieldTree, [ours, live]: readonly [unknown, unknown]): FieldTree | undefined {
  if (part.startsWith("f:") && isMap(ours) && isMap(live)) {
    const name = part.slice(2);
    return name in ours ? rivalsIn(tree, ours[name], live[name]) : undefined;
  }
  if (!part.startsWith("k:")) return undefined;
  const [own, theirs] = [ours, live].map((items) => itemsOf(items).find((item) => isKeyOf(part.slice(2), item)));
  if (own) return rivalsIn(tree, own, theirs);
  const hasName = typeof theirs?.["name"] === "string";
  return hasName && itemsOf(ours).some(({ name }) => name === theirs["name"]) ? tree : undefined;
}

function itemsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter((item) => isMap(item)) : [];
}
