import { problemOf } from "../client/errors.ts";
import type { Entry, EntryResult } from "../decision/index.ts";
import type { Pass } from "./applier.ts";
import { afterSending } from "./after-sending.ts";
import { applyObject } from "./apply-object.ts";
import { WouldWriteError } from "./observe.ts";
import { runInOrder } from "./order.ts";
import { type Owned, ownedObjects, removalsAmong, unaccounted } from "./owned-objects.ts";
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
  // Only who removes has to know before anything is written what there is.
  const isRemoving = entries.some(({ verb }) => verb === "remove");
  const before = isRemoving ? await counted(work) : [];
  const removals = removalsAmong(before, entries);
  const isStalled = !site.isOwnerDeleted && isMassRemoval(removals, before.length);

  const counting = isRemoving ? before : afterSending().then(() => counted(work));
  const [results, owned] = await Promise.all([runInOrder(entries, runEntry, isSuperseded), counting]);
  return results && [...results, ...unaccounted(owned, entries)];

  async function runEntry(entry: Entry): Promise<EntryResult> {
    if (entry.verb === "keep") return { ref: entry.ref, outcome: "kept" };
    if (entry.verb === "remove" && isStalled)
      return failed(entry.ref, "Stalled", stalledMessage(removals, before.length));
    try {
      await cacheAt(site, entry.ref).caughtUp(entry.ref, site.signal);
      return await act(site, entry, sightings);
    } catch (error) {
      return resultOf(entry, error);
    }
  }
}

/** What the owner has there; a cache that lags behind our own writes would show too little. What can't be had fails by entry. */
async function counted(work: ClusterWork): Promise<readonly Owned[]> {
  const { site, entries } = work;
  const refs = [...entries.map(({ ref }) => ref), ...site.memory.refs];
  await Promise.allSettled(refs.map(async (ref) => await cacheAt(site, ref).caughtUp(ref, site.signal)));
  return ownedObjects(work);
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
