import { findDisagreement, type KubeObject, type Ref } from "@chaski/kube";
import { projectionHash } from "./applied-memory.ts";
import { copyHash } from "./copied-content.ts";
import { stillOwns } from "./field-ownership.ts";
import { APPLIED_ANNOTATION, type Payload } from "./payload.ts";
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
  if (cached.metadata.annotations?.[APPLIED_ANNOTATION] !== payload.hash) return false;
  if (site.memory.isSameVersion(ref, payload, cached)) return true;
  if (isVisible(wanted, cached) && agreesAsCached(site, wanted, cached)) {
    site.memory.remember(ref, payload, cached);
    return true;
  }
  return await agreesLive(site, wanted, cached);
}

function agreesAsCached(site: Site, { ref, payload }: Wanted, cached: Readonly<KubeObject>): boolean {
  return site.memory.hasSameFields(ref, payload, cached) || findDisagreement(payload.object, cached) === undefined;
}

/** A cache may have dropped fields, and the server has its own idea of a value: the object itself tells. */
async function agreesLive(site: Site, wanted: Wanted, cached: Readonly<KubeObject>): Promise<boolean> {
  const { ref, payload } = wanted;
  const live = await readLive(site, ref);
  if (live === undefined || live.metadata.uid !== cached.metadata.uid) return false;
  const isSame = live.metadata.annotations?.[APPLIED_ANNOTATION] === payload.hash && hasFields(site, wanted, live);
  if (isSame && isSameView(payload, live, cached)) site.memory.remember(ref, payload, cached);
  return isSame;
}

/** Whether what the cache shows is what agreement looks like from there: a lagging cache may show something else. */
function isSameView(payload: Payload, live: KubeObject, cached: Readonly<KubeObject>): boolean {
  return (
    live.metadata.resourceVersion === cached.metadata.resourceVersion ||
    projectionHash(payload, live) === projectionHash(payload, cached)
  );
}

function hasFields(site: Site, { payload, ...wanted }: Wanted, live: KubeObject): boolean {
  if (wanted.copyHash !== undefined && copyHash(live) !== wanted.copyHash) return false;
  return findDisagreement(payload.object, live) === undefined || stillOwns(live, site.manager, payload.object);
}

/** Content is compared by reading it; so is all that a cache of metadata does not hold. */
function isVisible({ payload, copyHash }: Wanted, cached: Readonly<KubeObject>): boolean {
  if (copyHash !== undefined) return false;
  const hasContent = (object: Readonly<KubeObject>): boolean => Object.keys(object).length > 3;
  return hasContent(cached) || !hasContent(payload.object);
}
