import { problemOf } from "../client/errors.ts";
import type { Entry, EntryResult } from "../decision/index.ts";
import type { Pass } from "./applier.ts";
import { applyObject } from "./apply-object.ts";
import { WouldWriteError } from "./observe.ts";
import { runInOrder } from "./order.ts";
import { ownedObjects, removalsAmong, unaccounted } from "./owned-objects.ts";
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
  await caughtUp(work);
  const owned = ownedObjects(work);
  const removals = removalsAmong(owned, entries);
  const isStalled = !site.isOwnerDeleted && isMassRemoval(removals, owned.length);

  const results = await runInOrder(entries, runEntry, isSuperseded);
  return results && [...results, ...unaccounted(owned, entries)];

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

/** Counting on a cache that lags behind our own writes would count too few. What can't be had fails entry by entry. */
async function caughtUp({ site, entries }: ClusterWork): Promise<void> {
  const refs = [...entries.map(({ ref }) => ref), ...site.memory.refs];
  await Promise.allSettled(refs.map(async (ref) => await cacheAt(site, ref).caughtUp(ref, site.signal)));
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
  return failed(ref, reason, mayQuote ? problemOf(error) : `${ref.kind.kind} could not be written`);
}
