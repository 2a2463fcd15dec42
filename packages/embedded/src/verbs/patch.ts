import { at, metadataOf } from "../schema/fields.ts";
import { formatTime } from "../codec/times.ts";
import { ApiError, badRequest, conflict, unsupportedMediaType } from "../errors/api-error.ts";
import {
  type ApplyResult,
  applyServerSide,
  jsonMergePatch,
  jsonPatch,
  PatchError,
  strategicMergePatch,
} from "../merge/index.ts";
import { schemaOf } from "../builtin/resources.ts";
import { apiVersionOf } from "../registry/resource.ts";
import { isObject, type JsonObject } from "../schema/index.ts";
import type { Api } from "../request/api.ts";
import { trackingRequest } from "./field-management.ts";
import type { Reply } from "../request/reply.ts";
import { isTrue, type ResourceRequest } from "../request/request.ts";
import { decodeOr400, keepReset, parseObject, reportUnknown } from "./body.ts";
import { createObject } from "./create.ts";
import { placeInNamespace, requireName } from "./metadata.ts";
import { DecodeError } from "../codec/go-decode.ts";
import { invalidOptions, managerOf } from "../request/options.ts";
import { storageKey } from "./read.ts";
import { change, merged, scaled } from "./update.ts";
import { type ObjectView, viewOf } from "./views.ts";
import { toJson } from "../codec/text.ts";

const JSON_PATCH = "application/json-patch+json";
const MERGE_PATCH = "application/merge-patch+json";
const STRATEGIC_PATCH = "application/strategic-merge-patch+json";
const APPLY_PATCH = "application/apply-patch+yaml";

export async function patch(api: Api, request: ResourceRequest): Promise<Reply> {
  const { resource, subresource } = request;
  const view = viewOf(resource, subresource?.name);
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
  if (type === APPLY_PATCH) return apply(api, request, view);
  if (request.query.get("force") !== null)
    throw invalidOptions("force", "Forbidden", "Forbidden: may not be specified for non-apply patch", "PatchOptions");
  const merge = mergerOf(type, request, view);
  return change(api, request, {
    view,
    next: (live) => {
      const patched = orPatchError(() => merge(view.read(live)));
      const sent = shapePatched(request, view, patched);
      requireName(sent, request);
      placeInNamespace(sent, request);
      return merged(api, request, { view, live, sent });
    },
  });
}

type Merger = (live: JsonObject) => unknown;

function mergerOf(type: string, request: ResourceRequest, view: ObjectView): Merger {
  const { resource } = request;
  switch (type) {
    case JSON_PATCH: {
      const operations = parsePatch(request.body);
      return (live) => jsonPatch(live, operations);
    }
    case MERGE_PATCH: {
      const change = parsePatch(request.body);
      return (live) => jsonMergePatch(live, change);
    }
    case STRATEGIC_PATCH: {
      if (resource.isCustom) break;
      const change = parseObject(request.body, false);
      const schema = view.subresource === "scale" ? schemaOf("autoscaling", "v1", "Scale") : resource.schema;
      return (live) => strategicMergePatch(live, change, schema);
    }
    default:
  }
  const accepted = resource.isCustom ? [JSON_PATCH, MERGE_PATCH] : [JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH];
  throw unsupportedMediaType([...accepted, APPLY_PATCH, "application/apply-patch+cbor"].join(", "));
}

function parsePatch(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`error decoding patch: ${(error as Error).message}`);
  }
}

const REASONS: Readonly<Record<number, string>> = { 400: "BadRequest", 413: "RequestEntityTooLarge", 422: "Invalid" };

function orPatchError<T>(merge: () => T): T {
  try {
    return merge();
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const reason = REASONS[error.code];
    throw new ApiError({
      code: error.code,
      ...(reason && { reason }),
      message: error.message,
      ...(error.code === 422 && { details: {} }),
    });
  }
}

/** A patch that makes an object unreadable is itself what is invalid. */
function shapePatched(request: ResourceRequest, view: ObjectView, patched: unknown): JsonObject {
  if (!isObject(patched)) throw badRequest("the patched object is no object");
  const isSameKind = patched["kind"] === view.kind.kind && patched["apiVersion"] === apiVersionOf(view.kind);
  if (!isSameKind && !request.resource.isCustom) throw invalidPatch(request.body, "the kind may not change");
  try {
    return shape(request, view, patched);
  } catch (error) {
    if (error instanceof ApiError && error.cause instanceof DecodeError)
      throw invalidPatch(request.body, error.cause.message);
    throw error;
  }
}

function invalidPatch(patch: string, because: string): ApiError {
  const message = `Invalid value: ${toJson(patch)}: ${because}`;
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: ` "" is invalid: patch: ${message}`,
    details: { causes: [{ reason: "FieldValueInvalid", message, field: "patch" }] },
  });
}

/** What a patch made of an object, in the server's form again. */
function shape(request: ResourceRequest, view: ObjectView, patched: unknown): JsonObject {
  if (!isObject(patched)) throw badRequest("the patched object is no object");
  const decoded = decodeOr400(view.kind, () => view.decode(patched));
  reportUnknown(request, view.kind, decoded);
  if (!request.resource.isCustom) keepReset(patched, decoded.object);
  return { ...decoded.object, kind: view.kind.kind, apiVersion: apiVersionOf(view.kind) };
}

async function apply(api: Api, request: ResourceRequest, view: ObjectView): Promise<Reply> {
  const { resource, namespace, name = "" } = request;
  const manager = request.query.get("fieldManager") ?? "";
  if (manager === "") throw managerRequired();
  const applied = parseObject(request.body, true);
  if (view.subresource === "scale" && resource.isCustom) throw inconvertibleScale();
  const applyNamed = (live: JsonObject): JsonObject => {
    const next = applyTo(api, request, { view, live, applied });
    requireName(next, request);
    placeInNamespace(next, request);
    return next;
  };
  const run = (live: JsonObject): JsonObject =>
    view.subresource === "scale"
      ? scaled(request, { view, live, write: applyNamed })
      : view.write(live, applyNamed(live));
  const exists = api.store.collection(resource.collection).get(storageKey(namespace, name)) !== undefined;
  if (exists || (request.subresource && !resource.strategy.allowsCreateOnUpdate))
    return change(api, request, { view, next: run });
  return createApplied(api, request, { view, live: resource.empty, applied });
}

async function createApplied(api: Api, request: ResourceRequest, application: Application): Promise<Reply> {
  const { metadata, ...rest } = application.applied;
  const { resourceVersion: _version, ...kept } = isObject(metadata) ? metadata : {};
  const uid = kept["uid"];
  const applied = isObject(metadata) ? { ...rest, metadata: kept } : application.applied;
  const created = applyTo(api, request, { ...application, applied });
  refuseUid(request, uid);
  requireName(created, request);
  placeInNamespace(created, request);
  return createObject(api, request, created);
}

/** The real server merges, then fails to convert what came of it. */
function inconvertibleScale(): ApiError {
  const because = "request to convert CR to an invalid group/version: autoscaling/v1";
  const message = `failed to convert new object (/; autoscaling/v1, Kind=Scale) to proper version: ${because}`;
  return new ApiError({ code: 500, message });
}

interface Application {
  readonly view: ObjectView;
  readonly live: JsonObject;
  readonly applied: JsonObject;
}

/** Who names a uid means an object that is there. */
function refuseUid({ resource, name = "" }: ResourceRequest, uid: unknown): void {
  if (typeof uid !== "string" || uid === "") return;
  const because = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict(resource, name, because);
}

function applyTo(api: Api, request: ResourceRequest, { view, live, applied }: Application): JsonObject {
  const { resource } = request;
  if (at(applied, "metadata", "managedFields") !== undefined) throw badRequest("metadata.managedFields must be nil");
  const nowIso = formatTime(api.clock.now());
  const tracking = { resource, subresource: view.subresource, manager: managerOf(request), nowIso };
  const force = isTrue(request.query.get("force"));
  const result = applyServerSide({
    ...trackingRequest(tracking),
    live,
    applied,
    force,
    ...(view.subresource !== "scale" && { empty: resource.empty }),
  });
  if (result.kind !== "applied") throw refusalOf(result);
  return shapeApplied(request, view, result.object);
}

/** What was merged into an unreadable object is the server's failure, in the real one's eyes. */
function shapeApplied(request: ResourceRequest, view: ObjectView, merged: JsonObject): JsonObject {
  // Who manages what was worked out here, in the server's form: it need not be read again.
  const { managedFields, ...metadata } = metadataOf(merged);
  try {
    const shaped = shape(request, view, { ...merged, metadata });
    if (managedFields !== undefined) metadataOf(shaped)["managedFields"] = managedFields;
    return shaped;
  } catch (error) {
    if (!(error instanceof ApiError && error.cause instanceof DecodeError)) throw error;
    throw new ApiError({
      code: 500,
      message: `failed to convert new object to proper version: ${error.cause.message}`,
    });
  }
}

function refusalOf(result: Exclude<ApplyResult, { kind: "applied" }>): ApiError {
  if (result.kind === "error")
    return result.code === 400 ? badRequest(result.message) : new ApiError({ code: 500, message: result.message });
  return new ApiError({
    code: 409,
    reason: "Conflict",
    message: result.message,
    details: { causes: result.conflicts },
  });
}

function managerRequired(): ApiError {
  return invalidOptions("fieldManager", "Required", "Required value: is required for apply patch", "PatchOptions");
}
