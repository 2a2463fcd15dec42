import { type KubeObject, Namespace, type Ref, refTo } from "@chaski/kube";
import { isAt } from "../clusters/place.ts";
import type { Entry, EntryResult } from "../decision/index.ts";
import type { Pass } from "./applier.ts";
import { OWNER_INDEX, ownerIndexValue } from "./owner-index.ts";
import { isOwnedBy } from "./ownership.ts";
import { nameOf } from "./ref-name.ts";
import { cachedAt, type Site } from "./site.ts";

export interface Owned {
  readonly ref: Ref;
  readonly object: Readonly<KubeObject>;
}

export interface Ownership {
  readonly site: Site;
  readonly owns: Pass<unknown>["owns"];
  readonly entries: readonly Entry[];
}

/** What the owner has on the cluster: what its controller declares to own, and whatever a decision wants to remove. */
export function ownedObjects({ site, owns, entries }: Ownership): readonly Owned[] {
  const { cluster, owner } = site;
  const declared = owns
    .filter(({ on }) => isAt(on, cluster.name))
    .flatMap(({ kind }) =>
      cluster.caches
        .of(kind)
        .byIndex(OWNER_INDEX, ownerIndexValue(owner))
        .map((object) => ({ object, ref: refTo(kind, object) })),
    );
  const named = entries.filter(({ verb }) => verb === "remove").flatMap(({ ref }) => ownedAt(site, ref));
  return [...new Map([...declared, ...named].map((each) => [nameOf(each.ref), each])).values()];
}

function ownedAt(site: Site, ref: Ref): readonly Owned[] {
  const object = cachedAt(site, ref);
  return object && isOwnedBy(site.owner, object) ? [{ ref, object }] : [];
}

/** How many of them would go; with a Namespace goes all that is in it. */
export function removalsAmong(owned: readonly Owned[], entries: readonly Entry[]): number {
  const removed = new Set(entries.filter(({ verb }) => verb === "remove").map(({ ref }) => nameOf(ref)));
  const isRemoved = ({ ref }: Owned): boolean =>
    removed.has(nameOf(ref)) ||
    (ref.namespace !== undefined && removed.has(nameOf({ kind: Namespace, name: ref.namespace })));
  return owned.filter(isRemoved).length;
}

/** Those that the decision says nothing about. */
export function unaccounted(owned: readonly Owned[], entries: readonly Entry[]): readonly EntryResult[] {
  const spokenOf = new Set(entries.map(({ ref }) => nameOf(ref)));
  return owned
    .filter(({ ref, object }) => !spokenOf.has(nameOf(ref)) && object.metadata.deletionTimestamp === undefined)
    .map(({ ref }) => ({ ref, outcome: "unaccounted" }));
}
