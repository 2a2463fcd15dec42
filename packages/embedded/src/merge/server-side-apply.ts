import { equalJson, isObject, type JsonObject } from "../schema/json.ts";
import type { SchemaNode } from "../schema/schema-node.ts";
import { checkTyped } from "./check-typed.ts";
import { conflictMessage, describeConflicts } from "./conflicts.ts";
import { FieldSet, fieldSet } from "./field-set.ts";
import { allowedByLastApplied, withLastApplied } from "./last-applied.ts";
import {
  capUpdateManagers,
  decodeManagers,
  encodeManagers,
  identityOf,
  type Manager,
  type Managers,
} from "./managers.ts";
import { mergeTypeOf } from "./merge-type.ts";
import { fieldElement } from "./path-element.ts";
import { type Applied, applyConfiguration, type Change, type Endpoint, updateManagers } from "./updater.ts";

/** What another version of the same resource looks like; undefined when that version is not served. */
export type VersionLookup = (apiVersion: string) =>
  | {
      readonly schema: SchemaNode;
      /** From whichever version the object is in. */
      readonly convert: (object: JsonObject) => JsonObject;
    }
  | undefined;

export interface TrackingRequest {
  /** The stored object; for a create an object of the kind with nothing set (`zeroObject`). Never modified. */
  readonly live: JsonObject;
  readonly manager: string;
  /** The version that the request speaks: live and new object are in this version too. */
  readonly apiVersion: string;
  readonly schema: SchemaNode;
  /** Empty or absent for the main resource. */
  readonly subresource?: string;
  /** Paths that this endpoint resets, so nobody can own them through it: `[["status"]]` for the main resource. */
  readonly resetFields?: readonly (readonly string[])[];
  /** To whole seconds, as in `2026-01-31T12:00:00Z`. */
  readonly nowIso: string;
  /** Absent: `apiVersion` is the only version. */
  readonly versions?: VersionLookup;
}

export interface ApplyRequest extends TrackingRequest {
  /** What the client sent. Never modified. */
  readonly applied: JsonObject;
  readonly force: boolean;
  /** An object of the kind with nothing set; absent: only apiVersion and kind (custom resources). */
  readonly empty?: JsonObject;
}

export interface ApplyConflict {
  readonly reason: "FieldManagerConflict";
  readonly message: string;
  readonly field: string;
}

export type ApplyResult =
  /** Shares unchanged parts with live. `isChanged` false: object is equal to live, managedFields may still differ. */
  | { readonly kind: "applied"; readonly object: JsonObject; readonly isChanged: boolean }
  /** 409 Conflict with these causes. */
  | { readonly kind: "conflicts"; readonly message: string; readonly conflicts: readonly ApplyConflict[] }
  /** The server's error text; code 400 or 500 as the real server answers. */
  | { readonly kind: "error"; readonly code: 400 | 500; readonly message: string };

export interface UpdateRequest extends TrackingRequest {
  /** The object about to be stored, defaulted, its managedFields as the client sent them. */
  readonly next: JsonObject;
}

export function applyServerSide(request: ApplyRequest): ApplyResult {
  const problem = checkApplied(request);
  if (problem !== undefined) return problem;
  const stored = decodeManagers(metadataOf(request.live)["managedFields"]);
  if (stored === undefined) return failed("failed to decode managed fields: operation must be `Apply` or `Update`");
  const managers = stored.size === 0 ? managersBeforeFirstApply(request, stored) : stored;
  const applied = applyOnce(request, managers);
  if (applied.conflicts !== undefined) {
    const { message, causes } = {
      message: conflictMessage(applied.conflicts),
      causes: describeConflicts(applied.conflicts),
    };
    return { kind: "conflicts", message, conflicts: causes };
  }
  const isChanged = applied.object !== request.live && !equalJson(applied.object, request.live);
  const owner = identityOf(ownerOf(request, "Apply"));
  const tracked = stripOwn(applied.managers, owner, isChanged ? request.nowIso : undefined);
  const object = withLastApplied(request, isChanged ? applied.object : request.live);
  return { kind: "applied", object: withManagedFields(object, tracked), isChanged };
}

/** Applies, and once more by force if kubectl only takes over what its client-side apply wrote. */
function applyOnce(request: ApplyRequest, managers: Managers): Applied {
  const endpoint = endpointOf(request);
  const owner = ownerOf(request, "Apply");
  const applied = applyConfiguration(endpoint, request, managers, { owner, force: request.force });
  if (applied.conflicts === undefined || request.manager !== "kubectl") return applied;
  const allowed = allowedByLastApplied(endpoint, request);
  if (allowed === undefined) return applied;
  const remaining = applied.conflicts
    .map((conflict) => ({ ...conflict, set: conflict.set.difference(allowed) }))
    .filter(({ set }) => !set.isEmpty);
  if (remaining.length > 0) return { conflicts: remaining };
  return applyConfiguration(endpoint, request, managers, { owner, force: true });
}

function checkApplied(request: ApplyRequest): ApplyResult | undefined {
  const { live, applied, apiVersion, schema } = request;
  if (applied["apiVersion"] !== apiVersion || applied["kind"] !== live["kind"]) {
    return { kind: "error", code: 400, message: `invalid object type: ${describeKind(applied)}` };
  }
  if (metadataOf(applied)["managedFields"] !== undefined) {
    return { kind: "error", code: 400, message: "metadata.managedFields must be nil" };
  }
  const type = mergeTypeOf(schema);
  const inPatch = checkTyped(type, applied);
  if (inPatch !== undefined) return failed(`failed to create typed patch object (${describe(applied)}): ${inPatch}`);
  const inLive = checkTyped(type, live, { allowsDuplicates: true });
  if (inLive !== undefined) return failed(`failed to create typed live object (${describe(live)}): ${inLive}`);
  return undefined;
}

function failed(message: string): ApplyResult {
  return { kind: "error", code: 500, message };
}

function describe(object: JsonObject): string {
  const { namespace, name } = metadataOf(object);
  return `${textOf(namespace)}/${textOf(name)}; ${describeKind(object)}`;
}

function describeKind({ apiVersion, kind }: JsonObject): string {
  const version = textOf(apiVersion);
  return `${version.includes("/") ? version : `/${version}`}, Kind=${textOf(kind)}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function managersBeforeFirstApply(request: ApplyRequest, none: Managers): Managers {
  const { live, apiVersion } = request;
  const empty = request.empty ?? { apiVersion, kind: live["kind"] };
  return track({ ...request, manager: "before-first-apply" }, { live: empty, next: live }, none) ?? none;
}

/** The next object with its new managedFields. Called for create, update and the patches that are not applies. */
export function trackUpdate(request: UpdateRequest): JsonObject {
  const { live, next } = request;
  const managers = managersToUpdate(request);
  const isCreate = metadataOf(live)["uid"] === undefined;
  if (managers.size === 0 && !isCreate) return withManagedFields(next, managers);
  const change = { live: withoutManagedFields(live), next: withoutManagedFields(next) };
  return withManagedFields(next, track(request, change, managers) ?? new Map());
}

/** A client may write managedFields itself, except through a subresource; nonsense counts as not given. */
function managersToUpdate({ live, next, subresource }: UpdateRequest): Managers {
  const stored = () => decodeManagers(metadataOf(live)["managedFields"]) ?? new Map();
  if (subresource !== undefined && subresource !== "") return stored();
  const sent = metadataOf(next)["managedFields"];
  if (isReset(sent)) return new Map();
  const managers = decodeManagers(sent);
  return managers === undefined || managers.size === 0 ? stored() : managers;
}

function isReset(sent: unknown): boolean {
  if (!Array.isArray(sent)) return false;
  const [only] = sent;
  return sent.length === 0 || (sent.length === 1 && isObject(only) && Object.keys(only).length === 0);
}

/** Undefined: the objects do not fit their type, so ownership can't be told. */
function track(request: TrackingRequest, change: Change, managers: Managers): Managers | undefined {
  const type = mergeTypeOf(request.schema);
  for (const object of [change.next, change.live]) {
    if (checkTyped(type, object, { allowsDuplicates: true }) !== undefined) return undefined;
  }
  const owner = ownerOf(request, "Update");
  const updated = new Map(updateManagers(endpointOf(request), change, managers, owner));
  const gained = updated.get("current-operation");
  updated.delete("current-operation");
  const set = gained?.set.difference(neverOwned) ?? FieldSet.empty;
  if (!set.isEmpty) {
    const identity = identityOf(owner);
    const previous = updated.get(identity);
    updated.set(identity, {
      ...owner,
      set: previous === undefined ? set : set.union(previous.set),
      time: request.nowIso,
    });
  }
  return capUpdateManagers(updated);
}

const neverOwned = fieldSet([
  ["f:apiVersion"],
  ["f:kind"],
  ["f:metadata"],
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((field) => ["f:metadata", fieldElement(field)]),
]);

function stripOwn(managers: Managers, identity: string, time: string | undefined): Managers {
  const own = managers.get(identity);
  if (own === undefined) return managers;
  const set = own.set.difference(neverOwned);
  const result = new Map(managers);
  if (set.isEmpty) result.delete(identity);
  else result.set(identity, { ...own, set, ...(time === undefined ? {} : { time }) });
  return result;
}

function ownerOf(request: TrackingRequest, operation: "Apply" | "Update"): Omit<Manager, "set"> {
  return {
    manager: request.manager === "" ? "unknown" : request.manager,
    operation,
    apiVersion: request.apiVersion,
    subresource: request.subresource ?? "",
  };
}

function endpointOf({ apiVersion, schema, resetFields, versions }: TrackingRequest): Endpoint {
  const type = mergeTypeOf(schema);
  return {
    apiVersion,
    type,
    reset: resetFields === undefined ? FieldSet.empty : fieldSet(resetFields.map((path) => path.map(fieldElement))),
    at: (object, wanted) => {
      if (wanted === apiVersion && (object["apiVersion"] === apiVersion || versions === undefined))
        return { object, type };
      const version = versions?.(wanted);
      return version && { object: version.convert(object), type: mergeTypeOf(version.schema) };
    },
  };
}

function metadataOf(object: JsonObject): JsonObject {
  const metadata = object["metadata"];
  return isObject(metadata) ? metadata : {};
}

function withManagedFields(object: JsonObject, managers: Managers): JsonObject {
  const { managedFields: _, ...metadata } = metadataOf(object);
  return {
    ...object,
    metadata: managers.size === 0 ? metadata : { ...metadata, managedFields: encodeManagers(managers) },
  };
}

function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  if (!Object.hasOwn(metadata, "managedFields")) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** Next with live's times where nothing but times differs, so that a write that changes nothing is none. */
export function keepTimesIfUnchanged(live: JsonObject, next: JsonObject): JsonObject {
  const before = metadataOf(live)["managedFields"];
  const after = metadataOf(next)["managedFields"];
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return next;
  const isSame = before.every((entry, i) => equalJson({ ...entry, time: "" }, { ...after[i], time: "" }));
  if (!isSame || !equalJson(withoutManagedFields(live), withoutManagedFields(next))) return next;
  return { ...next, metadata: { ...metadataOf(next), managedFields: before } };
}
