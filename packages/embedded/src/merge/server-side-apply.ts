import type { JsonObject } from "../schema/json.ts";
import type { SchemaNode } from "../schema/schema-node.ts";

/** What another version of the same resource looks like; undefined when that version is no longer served. */
export type VersionLookup = (
  apiVersion: string,
) => { readonly schema: SchemaNode; readonly convert: (object: JsonObject) => JsonObject } | undefined;

export interface TrackingRequest {
  /** The stored object; for a create what `zeroObject` gives. Never modified. */
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
  /** Absent: only `apiVersion` exists. */
  readonly versions?: VersionLookup;
}

export interface ApplyRequest extends TrackingRequest {
  /** What the client sent. Never modified. */
  readonly applied: JsonObject;
  readonly force: boolean;
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

export function applyServerSide(_request: ApplyRequest): ApplyResult {
  return { kind: "error", code: 500, message: "not implemented" };
}

/** The next object with its new managedFields. Called for create, update and the patches that are not applies. */
export function trackUpdate({ next }: UpdateRequest): JsonObject {
  return next;
}

/** Next with live's times where nothing but times differs, so that a write that changes nothing is none. */
export function keepTimesIfUnchanged(_live: JsonObject, next: JsonObject): JsonObject {
  return next;
}
