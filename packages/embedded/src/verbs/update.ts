import { admitMutating, admitValidating } from "../admission/admission.ts";
import { checkMetadata, checkMetadataUpdate } from "../builtin/metadata-validation.ts";
import { formatTime } from "../codec/times.ts";
import { ApiError, conflict, invalid, MODIFIED } from "../errors/api-error.ts";
import type { Cause } from "../schema/cause.ts";
import { cloneJson, equalJson, type JsonObject } from "../schema/json.ts";
import type { Api } from "../request/api.ts";
import { type Tracking, trackWrite } from "./field-management.ts";
import { entriesOf, toParentEntries, toScaleEntries, withEntries } from "./scale-fields.ts";
import type { Reply } from "../request/reply.ts";
import type { ResourceRequest } from "../request/request.ts";
import { Stored } from "../storage/stored.ts";
import { decodeAs } from "./body.ts";
import { createObject } from "./create.ts";
import { metadataOf, nameOf } from "../schema/fields.ts";
import { checkStoredUid, checkUid, isReadyToGo, keepSystemFields, placeInNamespace, requireName } from "./metadata.ts";
import { isDryRun, managerOf } from "../request/options.ts";
import { preparationOf } from "./preparation.ts";
import { replyWith, requireStored, storageKey } from "./read.ts";
import { parseResourceVersion } from "./list.ts";
import { type ObjectView, viewOf } from "./views.ts";
import { asText } from "../codec/text.ts";
import { apiVersionOf, kindInRefusals } from "../registry/resource.ts";

const ATTEMPTS_MAX = 10;

export async function update(api: Api, request: ResourceRequest): Promise<Reply> {
  const { resource, subresource, name = "" } = request;
  const view = viewOf(resource, subresource?.name);
  const sent = decodeAs(request, view.kind, view.decode);
  placeInNamespace(sent, request);
  requireName(sent, request);
  const isMissing = !api.store.collection(resource.collection).get(storageKey(request.namespace, name));
  if (isMissing && resource.strategy.allowsCreateOnUpdate)
    return createObject(api, request, trackWrite(trackingOf(api, request, view), undefined, sent));
  return change(api, request, {
    view,
    next: (live) => {
      if (view.subresource === "scale") checkStoredUid(request, live, metadataOf(sent)["uid"]);
      return merged(api, request, { view, live, sent: { ...sent, ...cloneJson(sent) } });
    },
  });
}

export interface Sent {
  readonly view: ObjectView;
  readonly live: JsonObject;
  /** What the client wants the view to be; handed over. */
  readonly sent: JsonObject;
}

/** The object to store when a client sends this to this endpoint, with its new managedFields. */
export function merged(api: Api, request: ResourceRequest, { view, live, sent }: Sent): JsonObject {
  const tracking = trackingOf(api, request, view);
  if (view.subresource === "scale")
    return scaled(request, { view, live, write: (scale) => trackWrite(tracking, scale, sent) });
  return view.write(live, trackWrite(tracking, live, sent));
}

interface Scaling {
  readonly view: ObjectView;
  readonly live: JsonObject;
  /** The new Scale with its managedFields, from the old one with its. */
  readonly write: (scale: JsonObject) => JsonObject;
}

/** What is written through `scale` is tracked there, and then belongs to the object. */
export function scaled({ resource }: ResourceRequest, { view, live, write }: Scaling): JsonObject {
  const replicas = resource.scalePaths?.specReplicas ?? [];
  const entries = entriesOf(live);
  const next = write(withEntries(view.read(live), toScaleEntries(entries, replicas)));
  const parent = { entries, replicas, apiVersion: apiVersionOf(resource) };
  return withEntries(view.write(live, next), toParentEntries(parent, entriesOf(next)));
}

function trackingOf(api: Api, request: ResourceRequest, { subresource }: ObjectView): Tracking {
  const nowIso = formatTime(api.clock.now());
  return { resource: request.resource, subresource, manager: managerOf(request), nowIso };
}

export interface Change {
  readonly view: ObjectView;
  /** The object to store in place of `live`, in the request's version; made anew when `live` changed meanwhile. */
  readonly next: (live: JsonObject) => JsonObject;
}

/** Reads, changes and stores one object as if at once. */
export async function change(api: Api, request: ResourceRequest, { view, next }: Change): Promise<Reply> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const stored = requireStored(api, request);
    const prepared = await prepare(api, request, { view, stored, next });
    const current = api.store.collection(request.resource.collection).get(stored.key);
    if (current !== stored) continue;
    return replace(api, request, { view, stored, object: prepared });
  }
  throw conflict(request.resource, request.name ?? "", MODIFIED);
}

interface Preparing extends Change {
  readonly stored: Stored;
}

async function prepare(api: Api, request: ResourceRequest, { view, stored, next }: Preparing): Promise<JsonObject> {
  const { resource } = request;
  const live = resource.fromStored ? resource.fromStored(stored.object) : stored.object;
  const object = next(live);
  checkPreconditions(request, live, object);
  const preparation = preparationOf(api, request);
  keepSystemFields(object, live, request.verb === "patch");
  const admitted = (await admitMutating(api, { request, operation: "UPDATE", object, live })) ?? object;
  const { strategy } = resource;
  if (view.subresource === "status") strategy.prepareStatus?.(admitted, live);
  else if (view.subresource !== "finalize") {
    strategy.admit?.(admitted, live, preparation);
    strategy.prepareForUpdate?.(admitted, live, preparation);
    if (strategy.isNewGeneration?.(admitted, live)) countGeneration(admitted);
  }
  metadataOf(admitted)["resourceVersion"] = metadataOf(live)["resourceVersion"];
  validate(request, view, admitted, live);
  await admitValidating(api, { request, operation: "UPDATE", object: admitted, live });
  return admitted;
}

function countGeneration(object: JsonObject): void {
  const metadata = metadataOf(object);
  metadata["generation"] = Number(metadata["generation"] ?? 0) + 1;
}

function checkPreconditions({ resource, verb }: ResourceRequest, live: JsonObject, next: JsonObject): void {
  const { resourceVersion, uid } = metadataOf(next);
  if (verb === "update") checkUid(resource, live, uid);
  if (Number.isNaN(parseResourceVersion(asText(resourceVersion)))) throw unreadable(asText(resourceVersion));
  if (resourceVersion === undefined || resourceVersion === "" || resourceVersion === "0") {
    if (resource.strategy.allowsUnconditionalUpdate !== false) return;
    const message = "Invalid value: 0: must be specified for an update";
    const cause: Cause = { reason: "FieldValueInvalid", message, field: "metadata.resourceVersion" };
    throw invalid({ group: resource.group, kind: resource.plural }, nameOf(next), [cause]);
  }
  if (resourceVersion !== metadataOf(live)["resourceVersion"]) throw conflict(resource, nameOf(live), MODIFIED);
}

function unreadable(version: string): ApiError {
  return new ApiError({ code: 500, message: `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax` });
}

function validate({ resource }: ResourceRequest, view: ObjectView, next: JsonObject, live: JsonObject): void {
  const { strategy } = resource;
  const own = view.subresource === "status" ? strategy.validateStatus?.(next, live) : strategy.validate?.(next, live);
  const causes = [...checkMetadata(resource, next), ...checkMetadataUpdate(next, live), ...(own ?? [])];
  if (causes.length > 0) throw invalid(kindInRefusals(resource), nameOf(live), causes);
}

interface Replacement {
  readonly view: ObjectView;
  readonly stored: Stored;
  readonly object: JsonObject;
}

function replace(api: Api, request: ResourceRequest, { view, stored, object }: Replacement): Reply {
  const { resource } = request;
  const next = resource.toStored ? resource.toStored(object) : object;
  const written = isDryRun(request) ? new Stored(stored.key, 0, next) : write(api, request, stored, next);
  if (view.subresource !== "scale") return replyWith(request, written);
  return { kind: "json", status: 200, body: view.read(written.object) };
}

function write(api: Api, { resource }: ResourceRequest, stored: Stored, next: JsonObject): Stored {
  if (equalButForTimes(stored.object, next)) return stored;
  if (isReadyToGo(next)) {
    api.store.delete(resource.collection, stored.key);
    return new Stored(stored.key, stored.resourceVersion, next);
  }
  return api.store.put({ collection: resource.collection, key: stored.key, object: next });
}

/** An update that changes nothing but the times in managedFields is not written. */
function equalButForTimes(live: JsonObject, next: JsonObject): boolean {
  return equalJson(withoutTimes(live), withoutTimes(next));
}

function withoutTimes(object: JsonObject): JsonObject {
  const { managedFields, ...metadata } = metadataOf(object);
  if (!Array.isArray(managedFields)) return object;
  const entries = managedFields.map((entry: JsonObject) => ({ ...entry, time: "" }));
  return { ...object, metadata: { ...metadata, managedFields: entries } };
}
