import { type KubeObject, type Ref, refTo } from "@chaski/kube";
import { LOCAL_CLUSTER } from "../clusters/cluster.ts";
import type { EntryResult } from "../controller/controller.ts";
import { OWNER_INDEX, ownerIndexValue } from "../controller/ownership.ts";
import type { Entry } from "../decision/index.ts";
import type { Pass } from "./applier.ts";
import { applyObject } from "./apply-object.ts";
import { WouldWriteError } from "./observe.ts";
import { runInOrder } from "./order.ts";
import { isOwnedBy } from "./ownership.ts";
import { nameOf } from "./ref-name.ts";
import { isMassRemoval, stalledMessage } from "./removal-limit.ts";
import { removeObject } from "./remove-object.ts";
import { scaleObject } from "./scale-object.ts";
import type { Sightings } from "./sightings.ts";
import { cacheAt, failed, reasonOf, type Site } from "./site.ts";

export interface ClusterWork {
  readonly site: Site;
  readonly owns: Pass<unknown>["owns"];
  readonly entries: readonly Entry[];
  readonly sightings: Sightings;
  /** A later decision has come: no need to finish this one. */
  readonly isSuperseded: () => boolean;
}

/** Brings one cluster to what was decided for one owner: one result per entry, and one per object left out. */
export async function workOnCluster(work: ClusterWork): Promise<readonly EntryResult[] | undefined> {
  const { site, entries, sightings, isSuperseded } = work;
  const owned = ownedOn(work);
  const removals = countRemovals(entries, owned);
  const isStalled = !site.isOwnerDeleted && isMassRemoval(removals, owned.length);

  const results = await runInOrder(entries, runEntry, isSuperseded);
  return results && [...results, ...unaccounted(entries, owned)];

  async function runEntry(entry: Entry): Promise<EntryResult> {
    if (entry.verb === "keep") return { ref: entry.ref, outcome: "kept" };
    if (entry.verb === "remove" && isStalled)
      return failed(entry.ref, "Stalled", stalledMessage(removals, owned.length));
    try {
      await cacheAt(site, entry.ref).caughtUp(entry.ref, site.signal);
      return await act(site, entry, sightings);
    } catch (error) {
      return resultOf(entry, error);
    }
  }
}

async function act(site: Site, entry: Exclude<Entry, { verb: "keep" }>, sightings: Sightings): Promise<EntryResult> {
  const seen = sightings.get(nameOf(entry.ref));
  if (entry.verb === "apply") return await applyObject(site, entry, seen?.resourceVersion);
  if (entry.verb === "scale") return await scaleObject(site, entry, seen?.replicas);
  return await removeObject(site, entry.ref);
}

function resultOf(entry: Entry, error: unknown): EntryResult {
  const { ref } = entry;
  if (error instanceof WouldWriteError) return { ref, outcome: "observed", message: error.message };
  const reason = reasonOf(error);
  // The server quotes what it refuses; the content of a Secret is not for quoting.
  const mayQuote = ref.kind.kind !== "Secret" && !(entry.verb === "apply" && entry.copyOf);
  const message = mayQuote && error instanceof Error ? error.message : `${ref.kind.kind} could not be written`;
  return failed(ref, reason, message);
}

interface Owned {
  readonly ref: Ref;
  readonly object: Readonly<KubeObject>;
}

function ownedOn({ site, owns }: ClusterWork): readonly Owned[] {
  const { cluster, owner } = site;
  const value = ownerIndexValue(owner);
  return owns
    .filter(({ on }) => on === "fleet" || cluster.name === LOCAL_CLUSTER)
    .flatMap(({ kind }) =>
      cluster.caches
        .of(kind)
        .byIndex(OWNER_INDEX, value)
        .filter((object) => isOwnedBy(owner, object))
        .map((object) => ({ object, ref: refTo(kind, object) })),
    );
}

function countRemovals(entries: readonly Entry[], owned: readonly Owned[]): number {
  const there = new Set(owned.map(({ ref }) => nameOf(ref)));
  return entries.filter(({ verb, ref }) => verb === "remove" && there.has(nameOf(ref))).length;
}

function unaccounted(entries: readonly Entry[], owned: readonly Owned[]): readonly EntryResult[] {
  const spokenOf = new Set(entries.map(({ ref }) => nameOf(ref)));
  return owned
    .filter(({ ref, object }) => !spokenOf.has(nameOf(ref)) && object.metadata.deletionTimestamp === undefined)
    .map(({ ref }) => ({ ref, outcome: "unaccounted" }));
}
