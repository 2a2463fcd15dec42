import { admitMutating, admitValidating } from "../admission/admission.ts";
import { formatTime } from "../codec/times.ts";
import { alreadyExists, ApiError, invalid } from "../errors/api-error.ts";
import { checkMetadata } from "../builtin/metadata-validation.ts";
import { kindInRefusals, type Resource } from "../registry/resource.ts";
import { cloneJson, type JsonObject } from "../schema/json.ts";
import { preparationOf } from "./preparation.ts";
import type { Api } from "../request/api.ts";
import { trackWrite } from "./field-management.ts";
import type { Reply } from "../request/reply.ts";
import type { ResourceRequest } from "../request/request.ts";
import { Stored } from "../storage/stored.ts";
import { decodeBody } from "./body.ts";
import { connect } from "./connect.ts";
import { metadataOf, nameOf } from "../schema/fields.ts";
import { newUid } from "../storage/new-uid.ts";
import { generateName, placeInNamespace } from "./metadata.ts";
import { isDryRun, managerOf } from "../request/options.ts";
import { storageKey } from "./read.ts";

export async function create(api: Api, request: ResourceRequest): Promise<Reply> {
  const connected = connect(api, request);
  if (connected) return connected;
  const object = decodeBody(request);
  placeInNamespace(object, request);
  for (const field of ["deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"]) delete metadataOf(object)[field];
  const { resource } = request;
  const nowIso = formatTime(api.clock.now());
  const tracked = trackWrite({ resource, subresource: "", manager: managerOf(request), nowIso }, undefined, object);
  return createObject(api, request, tracked);
}

/** Stores an object that is decoded and tracked already. */
export async function createObject(api: Api, request: ResourceRequest, object: JsonObject): Promise<Reply> {
  const { resource } = request;
  const preparation = preparationOf(api, request);
  fillMetadata(api, request, object);
  const admitted = (await admitMutating(api, { request, operation: "CREATE", object, live: undefined })) ?? object;
  resource.strategy.admit?.(admitted, undefined, preparation);
  resource.strategy.prepareForCreate?.(admitted, preparation);
  metadataOf(admitted)["uid"] = newUid(api.random);
  if (resource.strategy.isNewGeneration) metadataOf(admitted)["generation"] = 1;
  validateNew(request, admitted);
  await admitValidating(api, { request, operation: "CREATE", object: admitted, live: undefined });
  return insert(api, request, admitted);
}

function fillMetadata(api: Api, { resource }: ResourceRequest, object: JsonObject): void {
  const metadata = metadataOf(object);
  if (metadata["resourceVersion"]) throw resourceVersionOnCreate();
  delete metadata["resourceVersion"];
  metadata["creationTimestamp"] = formatTime(api.clock.now());
  const prefix = metadata["generateName"];
  if (nameOf(object) === "" && typeof prefix === "string" && prefix !== "")
    metadata["name"] = generateName(prefix, api.random);
  if (resource.subresources.has("status") && !resource.strategy.keepsStatusOnCreate) resetStatus(resource, object);
}

function resetStatus({ empty }: Resource, object: JsonObject): void {
  if (empty["status"] === undefined) delete object["status"];
  else object["status"] = cloneJson(empty["status"]);
}

function resourceVersionOnCreate(): ApiError {
  const message = "resourceVersion should not be set on objects to be created";
  return new ApiError({ code: 500, message });
}

function validateNew({ resource }: ResourceRequest, object: JsonObject): void {
  const { validate, checksMetadataLast } = resource.strategy;
  const own = validate?.(object, undefined) ?? [];
  const causes = checksMetadataLast && own.length > 0 ? own : [...checkMetadata(resource, object), ...own];
  if (causes.length > 0) throw invalid(kindInRefusals(resource), nameOf(object), causes);
}

function insert(api: Api, request: ResourceRequest, object: JsonObject): Reply {
  const { resource, namespace } = request;
  const name = nameOf(object);
  const key = storageKey(namespace, name);
  if (api.store.collection(resource.collection).get(key)) throw alreadyExists(resource, name);
  const stored = resource.toStored ? resource.toStored(object) : object;
  const written = isDryRun(request)
    ? new Stored(key, 0, stored)
    : api.store.put({ collection: resource.collection, key, object: stored });
  return { kind: "object", status: 201, resource, stored: written };
}
