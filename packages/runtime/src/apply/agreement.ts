import { findDisagreement, type KubeObject, type Ref } from "@chaski/kube";
import { afterSending } from "./after-sending.ts";
import { projectionHash } from "./applied-memory.ts";
import { copyHash } from "../cache/copied-content.ts";
import { INITIAL_MANAGER, stillOwns } from "./field-ownership.ts";
import { appliedTo, type Payload } from "./payload.ts";
import { readLive, type Site } from "./site.ts";

export interface Wanted {
  readonly ref: Ref;
  readonly payload: Payload;
  /** Of the content that it is a copy of. */
  readonly copyHash?: string | undefined;
}

/** Whether the object is as it would be after we sent the payload. Costs nothing unless the cache leaves a doubt. */
export async function agrees(site: Site, wanted: Wanted, cached: Readonly<KubeObject>): Promise<boolean> {
  const { ref, payload } = wanted;
  if (appliedTo(cached)?.hash !== payload.hash) return false;
  if (site.memory.isSameVersion(ref, payload, cached)) return true;
  // What is to be written, on whichever cluster, is sent before anybody looks whether the rest is still so.
  await afterSending();
  if (agreesAsCached(site, wanted, cached)) {
    site.memory.rememberSame(ref, payload, cached);
    return true;
  }
  return await agreesLive(site, wanted, cached);
}

/** Copied content is nowhere but in the object itself. */
function agreesAsCached(site: Site, { ref, payload, copyHash }: Wanted, cached: Readonly<KubeObject>): boolean {
  if (copyHash !== undefined) return false;
  return findDisagreement(payload.object, cached) === undefined || site.memory.hasSameFields(ref, payload, cached);
}

/** A cache may have dropped fields, and the server has its own idea of a value: the object itself tells. */
async function agreesLive(site: Site, wanted: Wanted, cached: Readonly<KubeObject>): Promise<boolean> {
  const { ref, payload } = wanted;
  const live = await readLive(site, ref);
  if (live === undefined || live.metadata.uid !== cached.metadata.uid) return false;
  if (appliedTo(live)?.hash !== payload.hash || !hasFields(site, wanted, live)) return false;
  const showsAll = wanted.copyHash === undefined && projectionHash(payload, live) === projectionHash(payload, cached);
  if (showsAll) site.memory.remember(ref, payload, cached);
  else site.memory.rememberVersion(ref, payload, live);
  return true;
}

function hasFields(site: Site, { payload, ...wanted }: Wanted, live: KubeObject): boolean {
  if (wanted.copyHash !== undefined && copyHash(live) !== wanted.copyHash) return false;
  if (findDisagreement(payload.object, live) === undefined) return true;
  const manager = appliedTo(live)?.isSettled ? site.manager : INITIAL_MANAGER;
  return [site.manager, manager].some((ours) => stillOwns(live, ours, payload.object));
}
