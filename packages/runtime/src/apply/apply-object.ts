import { describeRef, type KubeObject, type ManagedFieldsEntry } from "@chaski/kube";
import type { PatchBody } from "../client/client.ts";
import { type ApplyEntry, type CopySource, type EntryResult, MADE_ANNOTATION } from "../decision/index.ts";
import { agrees } from "./agreement.ts";
import { contentOf, copyHash } from "../cache/copied-content.ts";
import { appliedFields, hasPlainUpdates, INITIAL_MANAGER, takenOver } from "./field-ownership.ts";
import { isOwnedBy } from "./ownership.ts";
import { appliedAnnotation, appliedTo, at, merged, type Payload, withAnnotations } from "./payload.ts";
import { isNamespace } from "./ref-name.ts";
import { withRivalsOurs } from "./rivals.ts";
import { cacheAt, cachedAt, failed, ProblemError, readLive, reasonOf, type Site } from "./site.ts";
import { standingOf } from "./standing.ts";

interface Work {
  readonly entry: ApplyEntry;
  readonly payload: Payload;
  /** The version that was decided on, where the write must be refused if it is no longer that one. */
  readonly fence: string | undefined;
  readonly attempt: number;
}

const ATTEMPTS_MAX = 5;

/** Brings one object to what was decided; writes only what differs. */
export async function applyObject(site: Site, entry: ApplyEntry, fence: string | undefined): Promise<EntryResult> {
  const { ref } = entry;
  if (!cacheAt(site, ref).isServed) return failed(ref, "NotServed", `the cluster does not serve ${ref.kind.plural}`);
  const work = { entry, fence, payload: site.payloads.of(entry), attempt: 1 };
  try {
    return await applyAsCached(site, work);
  } catch (error) {
    const live = reasonOf(error) === "Invalid" ? await rivalsTaken(site, work) : undefined;
    if (!live) throw error;
    return await applyTo(site, { ...work, attempt: ATTEMPTS_MAX }, live);
  }
}

async function applyAsCached(site: Site, work: Work): Promise<EntryResult> {
  const { ref } = work.entry;
  const cache = cacheAt(site, ref);
  const cached = cachedAt(site, ref);
  if (cached && (isOurs(site, work, cached) || isOffLimits(site, work, cached)))
    return await applyTo(site, work, cached);
  // A write that is refused if the cache was behind costs less than a look before each.
  const isFirst = cached ? mayAdoptAsSeen(site, work, cached) : cache.isWhole && cache.hasSynced && !isNamespace(ref);
  if (isFirst)
    return await elseLookFirst(site, work, () => (cached ? adoptAsSeen(site, work, cached) : create(site, work)));
  return await applyTo(site, work, await readLive(site, ref));
}

async function elseLookFirst(site: Site, work: Work, write: () => Promise<EntryResult>): Promise<EntryResult> {
  try {
    return await write();
  } catch (error) {
    if (reasonOf(error) !== "Conflict") throw error;
    return await applyTo(site, { ...work, attempt: work.attempt + 1 }, await readLive(site, work.entry.ref));
  }
}

async function applyTo(site: Site, work: Work, live: Readonly<KubeObject> | undefined): Promise<EntryResult> {
  const { ref } = work.entry;
  if (!live) return await create(site, work);
  const standing = standingOf(site, ref, live);
  if (standing.is === "foreign" || standing.is === "ignored")
    return { ref, outcome: standing.is, message: standing.message };
  if (live.metadata.deletionTimestamp !== undefined)
    return failed(ref, "Terminating", `${describeRef(ref)} is being deleted`);
  return isOurs(site, work, live) ? await refresh(site, work, live) : await adopt(site, work, live);
}

async function refresh(site: Site, work: Work, live: Readonly<KubeObject>): Promise<EntryResult> {
  const { entry, payload, fence } = work;
  const wanted = { ref: entry.ref, payload, copyHash: entry.copyOf?.hash };
  if (await agrees(site, wanted, live)) return { ref: entry.ref, outcome: "unchanged" };
  if (!appliedTo(live)?.isSettled) return await settle(site, work);
  const isMade = live.metadata.annotations?.[MADE_ANNOTATION] !== undefined;
  const version = entry.isFenced ? (fence ?? live.metadata.resourceVersion) : undefined;
  // The server would refuse it: our own last write has come between.
  if (version !== undefined && version !== live.metadata.resourceVersion) throw movedOn(entry.ref);
  await send(site, work, { live, isMade, version, object: await withContent(site, entry, payload.object) });
  return { ref: entry.ref, outcome: "written" };
}

/** Now that something is to change, it matters whose the fields are. */
async function settle(site: Site, work: Work): Promise<EntryResult> {
  const live = await readLive(site, work.entry.ref);
  if (!live) return await create(site, work);
  const isStillOurs = isOurs(site, work, live) && live.metadata.deletionTimestamp === undefined;
  return isStillOurs ? await adopt(site, work, live) : await applyTo(site, work, live);
}

async function create(site: Site, work: Work): Promise<EntryResult> {
  const { entry, payload } = work;
  const object = await withContent(site, entry, payload.object);
  if (isNamespace(entry.ref)) return await createNamespace(site, work, object);
  const manager = entry.initial ? INITIAL_MANAGER : site.manager;
  const whole = merged(object, entry.initial ?? {});
  const answer = await send(site, work, { object: whole, isMade: false, isSettled: !entry.initial, manager });
  if (isOnlyBy(answer, manager)) return { ref: entry.ref, outcome: "written" };
  return await adopt(site, work, answer);
}

/** First without the hash: whether somebody has made it in the same moment is known only afterwards. */
async function createNamespace(site: Site, work: Work, object: KubeObject): Promise<EntryResult> {
  const { ref } = work.entry;
  return await adopt(site, work, await site.writer.apply(ref, { object, manager: INITIAL_MANAGER, force: false }));
}

/** Nobody can have written to it since: the version that was seen goes along. */
async function adoptAsSeen(site: Site, work: Work, cached: Readonly<KubeObject>): Promise<EntryResult> {
  const object = await withContent(site, work.entry, work.payload.object);
  const version = cached.metadata.resourceVersion;
  await send(site, work, { live: cached, object, isMade: false, version, isSettled: false });
  return { ref: work.entry.ref, outcome: "written" };
}

/** What an operator that we replace has left must be taken over at once. */
function mayAdoptAsSeen(site: Site, { entry }: Work, cached: Readonly<KubeObject>): boolean {
  const isFree = standingOf(site, entry.ref, cached).is === "unclaimed";
  const isThere = cached.metadata.deletionTimestamp === undefined && cached.metadata.resourceVersion !== undefined;
  return isFree && isThere && !isNamespace(entry.ref) && site.policy.replacedManagers.length === 0;
}

/** Makes an object ours that is not, or not yet fully. Controllers write to it meanwhile: then once more. */
async function adopt(site: Site, work: Work, found: Readonly<KubeObject>): Promise<EntryResult> {
  try {
    await takeOver(site, work, found);
    return { ref: work.entry.ref, outcome: "written" };
  } catch (error) {
    if (reasonOf(error) !== "Conflict" || work.attempt === ATTEMPTS_MAX) throw error;
    return await applyTo(site, { ...work, attempt: work.attempt + 1 }, await readLive(site, work.entry.ref));
  }
}

async function takeOver(site: Site, work: Work, found: Readonly<KubeObject>): Promise<void> {
  const { entry, payload } = work;
  const { manager, policy } = site;
  const object = await withContent(site, entry, payload.object);
  const before = found.metadata.managedFields ?? [];
  // Only the server can say which fields of others ours would be; fields without any manager it gives one then.
  const trial =
    before.length === 0 || hasPlainUpdates(before)
      ? await site.writer.apply(entry.ref, { object, manager, force: true, isDryRun: true, live: found })
      : found;
  const moved = takenOver(before.length === 0 ? (trial.metadata.managedFields ?? []) : before, {
    manager,
    object,
    ours: appliedFields(trial, manager),
    replaced: policy.replacedManagers,
    initial: entry.initial ?? {},
  });
  const live = moved ? await site.writer.patch(entry.ref, "json", ownershipPatch(found, moved), manager) : found;
  // Claimed, but touched by nobody else: then we made it. Somebody may have made it in the same moment.
  const isMade = isOwnedBy(site.owner, found) && isOnlyBy(found, INITIAL_MANAGER, manager);
  await send(site, work, { live, object, isMade, version: live.metadata.resourceVersion });
}

function movedOn(ref: ApplyEntry["ref"]): ProblemError {
  return new ProblemError("Conflict", `${describeRef(ref)} is no longer what was decided on`);
}

/** The object without items that keep ours out; undefined where that is not what is wrong. */
async function rivalsTaken(site: Site, { entry, payload }: Work): Promise<KubeObject | undefined> {
  const live = await readLive(site, entry.ref);
  if (!live || standingOf(site, entry.ref, live).is !== "ours") return undefined;
  const ours = withRivalsOurs(live, site.manager, payload.object);
  return ours && (await site.writer.patch(entry.ref, "json", ownershipPatch(live, ours), site.manager));
}

function ownershipPatch({ metadata }: Readonly<KubeObject>, entries: readonly ManagedFieldsEntry[]): PatchBody {
  return [
    { op: "replace", path: "/metadata/managedFields", value: entries },
    { op: "replace", path: "/metadata/resourceVersion", value: metadata.resourceVersion },
  ];
}

interface Sending {
  readonly object: KubeObject;
  /** Absent: the object is created, and a field of somebody else means that it is not ours to create. */
  readonly live?: Readonly<KubeObject>;
  readonly version?: string | undefined;
  /** It was not there before us. */
  readonly isMade: boolean;
  /** Whether what is sent belongs to us alone afterwards; so it is unless said otherwise. */
  readonly isSettled?: boolean;
  readonly manager?: string;
}

async function send(site: Site, { entry, payload }: Work, sending: Sending): Promise<KubeObject> {
  const { ref } = entry;
  const { object, live, version, isMade, isSettled = true, manager = site.manager } = sending;
  const marked = withAnnotations(object, {
    ...appliedAnnotation(payload, isSettled),
    ...(isMade && isNamespace(ref) && { [MADE_ANNOTATION]: site.owner.delivery }),
  });
  // The uid keeps us from creating anew, without its initial fields, what somebody has just deleted.
  const sent = at(marked, { uid: live?.metadata.uid, resourceVersion: version });
  const answer = await site.writer.apply(ref, { object: sent, manager, force: live !== undefined, live });
  site.memory.remember(ref, payload, answer);
  return answer;
}

async function withContent(site: Site, { copyOf }: ApplyEntry, object: KubeObject): Promise<KubeObject> {
  return copyOf ? { ...object, ...(await readContent(site, copyOf)) } : object;
}

async function readContent(site: Site, { ref, hash }: CopySource): Promise<ReturnType<typeof contentOf>> {
  const source = await site.readSource(ref);
  if (copyHash(source) === hash) return contentOf(source);
  throw new ProblemError("SourceChanged", `${describeRef(ref)} is no longer what was decided on`);
}

/** Ours, and its creation or adoption was finished. */
function isOurs(site: Site, { entry }: Work, object: Readonly<KubeObject>): boolean {
  return standingOf(site, entry.ref, object).is === "ours" && appliedTo(object) !== undefined;
}

function isOffLimits(site: Site, { entry }: Work, object: Readonly<KubeObject>): boolean {
  const { is } = standingOf(site, entry.ref, object);
  return is === "foreign" || is === "ignored";
}

function isOnlyBy({ metadata }: Readonly<KubeObject>, ...managers: readonly string[]): boolean {
  return (metadata.managedFields ?? []).every(({ manager = "" }) => managers.includes(manager));
}
