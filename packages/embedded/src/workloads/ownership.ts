// Which objects a controller counts as its own: those that name it, and those that it may adopt because nobody has.
import {
  apiVersionOf,
  type Kind,
  type KubeObject,
  type LabelSelector,
  matchesLabels,
  type OwnerReference,
  readLabelSelector,
} from "@chaski/kube";
import type { Access } from "./access.ts";

export function controllerOf({ metadata }: KubeObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

export function referenceTo(kind: Kind, { metadata }: KubeObject): OwnerReference {
  const { name, uid = "" } = metadata;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** An empty selector selects nothing here, and an invalid one neither. */
export function selects(selector: LabelSelector, { metadata }: KubeObject): boolean {
  const read = readLabelSelector(selector);
  return read.ok && read.value.length > 0 && matchesLabels(read.value, metadata.labels);
}

export function isBeingDeleted({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

interface Claim<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly owner: KubeObject & { readonly spec: { readonly selector: LabelSelector } };
  readonly ownerKind: Kind;
  /** Those that name the owner, and those that name nobody. */
  readonly candidates: readonly T[];
}

/** The owner's objects, after it took those that it selects and let go of those that it selects no more. */
export async function claim<T extends KubeObject>(access: Access, claim: Claim<T>): Promise<T[]> {
  const { kind, owner, ownerKind, candidates } = claim;
  const claimed: T[] = [];
  for (const candidate of candidates) {
    const isSelected = selects(owner.spec.selector, candidate);
    const isOwned = controllerOf(candidate)?.uid === owner.metadata.uid;
    if (isOwned && isSelected) claimed.push(candidate);
    else if (isBeingDeleted(owner)) continue;
    else if (isOwned) await access.edit(kind, candidate.metadata, (live) => released(live, owner));
    else if (isSelected && !isBeingDeleted(candidate))
      claimed.push(await access.edit(kind, candidate.metadata, (live) => adopted(live, referenceTo(ownerKind, owner))));
  }
  return claimed;
}

function released<T extends KubeObject>(object: T, owner: KubeObject): T {
  const ownerReferences = object.metadata.ownerReferences?.filter(({ uid }) => uid !== owner.metadata.uid);
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function adopted<T extends KubeObject>(object: T, reference: OwnerReference): T {
  const ownerReferences = [...(object.metadata.ownerReferences ?? []), reference];
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}
