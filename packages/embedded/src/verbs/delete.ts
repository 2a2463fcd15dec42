import { admitValidating } from "../admission/admission.ts";
import { requireMortal } from "../admission/namespaces.ts";
import { formatTime } from "../codec/times.ts";
import { badRequest, conflict } from "../errors/api-error.ts";
import type { Resource } from "../registry/resource.ts";
import { cloneJson, type JsonObject } from "../schema/json.ts";
import type { Api } from "../request/api.ts";
import { type Reply, success } from "../request/reply.ts";
import type { ResourceRequest } from "../request/request.ts";
import { Stored } from "../storage/stored.ts";
import { metadataOf, nameOf } from "../schema/fields.ts";
import { isReadyToGo } from "./metadata.ts";
import { type DeleteOptions, deleteOptionsOf } from "./delete-options.ts";
import { list } from "./list.ts";
import { requireStored, unhidden } from "./read.ts";
import { asText } from "../codec/text.ts";

export async function remove(api: Api, request: ResourceRequest): Promise<Reply> {
  const { resource } = request;
  const options = deleteOptionsOf(request);
  const stored = requireStored(api, request);
  await admitValidating(api, { request, operation: "DELETE", object: undefined, live: stored.object });
  const left = removeStored(api, request, { stored, options });
  if (left.isGone && !resource.strategy.returnsDeletedObject) {
    const { name, uid } = metadataOf(stored.object);
    return success(200, { name, ...(resource.group && { group: resource.group }), kind: resource.plural, uid });
  }
  if (left.isGone) return { kind: "object", status: 200, resource, stored: left.stored };
  return unhidden(resource, left.stored, options.orphanDependents === false ? 202 : 200);
}

export async function removeCollection(api: Api, request: ResourceRequest): Promise<Reply> {
  const { resource } = request;
  const options = deleteOptionsOf(request);
  const found = list(api, request);
  if (found.kind !== "list") throw badRequest("not a collection");
  for (const stored of found.items) {
    const name = nameOf(stored.object);
    await admitValidating(api, {
      request: { ...request, name },
      operation: "DELETE",
      object: undefined,
      live: stored.object,
    });
    const current = api.store.collection(resource.collection).get(stored.key);
    if (current) removeStored(api, request, { stored: current, options });
  }
  return found;
}

const NAMESPACES = "/namespaces";

interface Removal {
  readonly stored: Stored;
  readonly options: DeleteOptions;
}

interface Left {
  readonly stored: Stored;
  readonly isGone: boolean;
}

export function removeStored(
  api: Api,
  { resource }: Pick<ResourceRequest, "resource">,
  { stored, options }: Removal,
): Left {
  checkDeletePreconditions(resource, stored.object, options);
  if (resource.collection === NAMESPACES) requireMortal(nameOf(stored.object));
  const object = cloneJson(stored.object);
  const isChanged = prepareAndMark(api, resource, { object, options });
  if (isReadyToGo(object) && resource.strategy.graceSeconds && isChanged && !options.isDryRun)
    api.store.put({ collection: resource.collection, key: stored.key, object });
  if (isReadyToGo(object))
    return drop(api, resource, { stored, options, last: resource.strategy.graceSeconds ? object : stored.object });
  if (!isChanged) return { stored, isGone: false };
  if (options.isDryRun) return { stored: new Stored(stored.key, stored.resourceVersion, object), isGone: false };
  return { stored: api.store.put({ collection: resource.collection, key: stored.key, object }), isGone: false };
}

/** Marks the object in place; whether that changed anything. */
function prepareAndMark(
  api: Api,
  { strategy }: Resource,
  { object, options }: { object: JsonObject; options: DeleteOptions },
): boolean {
  if (strategy.prepareForDelete && metadataOf(object)["deletionTimestamp"] === undefined) {
    strategy.prepareForDelete(object, formatTime(api.clock.now()));
    return true;
  }
  const graceSeconds = strategy.graceSeconds?.(object, options.gracePeriodSeconds) ?? 0;
  return markDeleted(api, object, { graceSeconds, options });
}

/** Kinds that end gracefully carry the marks of their deletion to the end; others go as they are. */
function drop(api: Api, { collection }: Resource, { stored, options, last }: Removal & { last: JsonObject }): Left {
  const removed = options.isDryRun ? undefined : api.store.delete(collection, stored.key, last);
  return { stored: removed ?? new Stored(stored.key, stored.resourceVersion, last), isGone: true };
}

/** Sets the deletion's marks; whether that changed anything. */
function markDeleted(
  api: Api,
  object: JsonObject,
  { graceSeconds, options }: { graceSeconds: number; options: DeleteOptions },
): boolean {
  const metadata = metadataOf(object);
  const finalizers = finalizersAfter(metadata, options);
  const isSame = JSON.stringify(finalizers) === JSON.stringify(metadata["finalizers"] ?? []);
  if (finalizers.length > 0) metadata["finalizers"] = finalizers;
  else delete metadata["finalizers"];
  const earlier = metadata["deletionGracePeriodSeconds"];
  const isSooner = typeof earlier !== "number" || graceSeconds < earlier;
  if (!isSooner) return !isSame;
  metadata["deletionTimestamp"] = formatTime(api.clock.now() + graceSeconds * 1_000);
  metadata["deletionGracePeriodSeconds"] = graceSeconds;
  if (earlier === undefined && typeof metadata["generation"] === "number")
    metadata["generation"] = metadata["generation"] + 1;
  return true;
}

const FOREGROUND = "foregroundDeletion";
const ORPHAN = "orphan";

function finalizersAfter(metadata: JsonObject, { propagationPolicy }: DeleteOptions): string[] {
  const finalizers = Array.isArray(metadata["finalizers"]) ? (metadata["finalizers"] as string[]) : [];
  if (propagationPolicy === undefined) return finalizers;
  const others = finalizers.filter((finalizer) => finalizer !== FOREGROUND && finalizer !== ORPHAN);
  if (propagationPolicy === "Foreground") return [...others, FOREGROUND];
  return propagationPolicy === "Orphan" ? [...others, ORPHAN] : others;
}

function checkDeletePreconditions(resource: Resource, live: JsonObject, { preconditions }: DeleteOptions): void {
  const { uid, resourceVersion } = metadataOf(live);
  const of = { group: resource.group, plural: resource.kind };
  if (preconditions?.uid !== undefined && preconditions.uid !== uid)
    throw conflict(
      of,
      nameOf(live),
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${asText(uid)}). The object might have been deleted and then recreated`,
    );
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion)
    throw conflict(
      of,
      nameOf(live),
      `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${asText(resourceVersion)}). The object might have been modified`,
    );
}
