import { describeRef, type KubeObject, type Ref } from "@chaski/kube";
import { type EntryResult, MADE_ANNOTATION } from "../decision/index.ts";
import { at, identity } from "./payload.ts";
import { isNamespace } from "./ref-name.ts";
import { cacheAt, cachedAt, failed, readLive, reasonOf, type Site } from "./site.ts";
import { standingOf } from "./standing.ts";

/** Removes one object of ours, exactly the one that was decided on. */
export async function removeObject(site: Site, ref: Ref): Promise<EntryResult> {
  const cache = cacheAt(site, ref);
  if (!cache.hasSynced) return failed(ref, "NotSynced", `what ${ref.kind.plural} there are is not known yet`);
  const found = cachedAt(site, ref) ?? (await findUncached(site, ref));
  if (!found) return { ref, outcome: "removed" };
  const standing = standingOf(site, ref, found);
  if (standing.is === "ignored") return { ref, outcome: "ignored", message: standing.message };
  if (standing.is !== "ours")
    return {
      ref,
      outcome: "foreign",
      message: standing.is === "foreign" ? standing.message : `${describeRef(ref)} was not made by us`,
    };
  if (isNamespace(ref)) return await removeNamespace(site, ref, found);
  return await remove(site, ref, found);
}

/** A cache that is restricted by label no longer shows what has lost the label: asked for once. */
async function findUncached(site: Site, ref: Ref): Promise<KubeObject | undefined> {
  const live = site.memory.isAbsent(ref) ? undefined : await readLive(site, ref);
  if (live === undefined) site.memory.rememberAbsent(ref);
  return live;
}

async function removeNamespace(site: Site, ref: Ref, cached: Readonly<KubeObject>): Promise<EntryResult> {
  const isMade = cached.metadata.annotations?.[MADE_ANNOTATION] === site.owner.delivery;
  if (isMade && !isReserved(site.policy.reservedNamespaces, ref.name)) return await remove(site, ref, cached);
  return await release(site, ref, cached);
}

async function remove(site: Site, ref: Ref, { metadata }: Readonly<KubeObject>): Promise<EntryResult> {
  if (metadata.deletionTimestamp !== undefined) return { ref, outcome: "removed" };
  const { uid, resourceVersion } = metadata;
  if (uid === undefined || resourceVersion === undefined)
    return failed(ref, "NotSynced", `${describeRef(ref)} is not known well enough to be removed`);
  try {
    await site.writer.remove(ref, { uid, resourceVersion });
  } catch (error) {
    if (reasonOf(error) !== "NotFound") throw error;
  }
  site.memory.rememberAbsent(ref);
  return { ref, outcome: "removed" };
}

/** What was there before us stays; only our fields go, and with them our claim. */
async function release(site: Site, ref: Ref, cached: Readonly<KubeObject>): Promise<EntryResult> {
  const object = at(identity(ref), cached.metadata);
  await site.writer.apply(ref, { object, manager: site.manager, force: true, live: cached });
  site.memory.rememberAbsent(ref);
  return { ref, outcome: "kept" };
}

/** Patterns are names, with `*` at the end for anything. */
function isReserved(patterns: readonly string[], namespace: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith("*") ? namespace.startsWith(pattern.slice(0, -1)) : pattern === namespace,
  );
}
