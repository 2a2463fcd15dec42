import { equalJson, type JsonObject } from "../schema/json.ts";
import { checkTyped } from "./check-typed.ts";
import { type ConflictCause, conflictMessage, describeConflicts } from "./conflicts.ts";
import { allowedByLastApplied, withLastApplied } from "./last-applied.ts";
import { decodeManagers, identityOf, type Managers } from "./managers.ts";
import type { FieldSet } from "./field-set.ts";
import { fieldSetOf } from "./field-set-of.ts";
import { type MergeType, mergeTypeOf } from "./merge-type.ts";
import { shapeMemos } from "./shape.ts";
import { track } from "./track-update.ts";
import {
  describeKind,
  describeObject,
  endpointOf,
  metadataOf,
  ownerOf,
  type TrackingRequest,
  withManagedFields,
  withoutNeverOwned,
} from "./tracking.ts";
import { type Applied, applyConfiguration } from "./updater.ts";

export interface ApplyRequest extends TrackingRequest {
  /** What the client sent. Never modified. */
  readonly applied: JsonObject;
  readonly force: boolean;
  /** An object of the kind with nothing set; absent: only apiVersion and kind (custom resources). */
  readonly empty?: JsonObject;
}

export type ApplyResult =
  /** Shares unchanged parts with live. `isChanged` false: object is equal to live, managedFields may still differ. */
  | { readonly kind: "applied"; readonly object: JsonObject; readonly isChanged: boolean }
  /** 409 Conflict with these causes. */
  | { readonly kind: "conflicts"; readonly message: string; readonly conflicts: readonly ConflictCause[] }
  /** The server's error text; code 400 or 500 as the real server answers. */
  | { readonly kind: "error"; readonly code: 400 | 500; readonly message: string };

export function applyServerSide(request: ApplyRequest): ApplyResult {
  const { live, applied, apiVersion } = request;
  if (applied["apiVersion"] !== apiVersion || applied["kind"] !== live["kind"]) {
    return { kind: "error", code: 400, message: `invalid object type: ${describeKind(applied)}` };
  }
  const managers = managersOf(request);
  if (typeof managers === "string") return failed(managers);
  const checked = checkObjects(request);
  return "owned" in checked ? finish(request, applyOnce({ ...request, ...checked }, managers)) : checked;
}

/** What existed before the first apply belongs to one updater, `before-first-apply`. */
function managersOf(request: ApplyRequest): Managers | string {
  const { live, apiVersion } = request;
  const stored = decodeManagers(metadataOf(live)["managedFields"]);
  if (stored === undefined) return "failed to decode managed fields: operation must be `Apply` or `Update`";
  if (stored.size > 0 || live === request.empty) return stored;
  const empty = request.empty ?? { apiVersion, kind: live["kind"] };
  const tracked = track({ ...request, manager: "before-first-apply" }, { live: empty, next: live }, stored);
  return typeof tracked === "string" ? `failed to create manager for existing fields: ${tracked}` : tracked;
}

function checkObjects({ live, applied, schema, empty }: ApplyRequest): Checked | ApplyResult {
  if (metadataOf(applied)["managedFields"] !== undefined) {
    return { kind: "error", code: 400, message: "metadata.managedFields must be nil" };
  }
  const type = mergeTypeOf(schema);
  const owned = fieldsOf(type, applied);
  if (typeof owned === "string") {
    return failed(`failed to create typed patch object (${describeObject(applied)}): ${owned}`);
  }
  const inLive = live === empty ? undefined : checkTyped(type, live, { allowsDuplicates: true });
  return inLive === undefined
    ? { owned }
    : failed(`failed to create typed live object (${describeObject(live)}): ${inLive}`);
}

interface Checked {
  /** The fields of what was applied. */
  readonly owned: FieldSet;
}

const fieldsByShape = shapeMemos<FieldSet>();

/** A text if what was applied does not fit its type. */
function fieldsOf(type: MergeType, applied: JsonObject): FieldSet | string {
  const memo = fieldsByShape(type);
  const known = memo.find(applied);
  if (known !== undefined) return known;
  const problem = checkTyped(type, applied);
  if (problem !== undefined) return problem;
  const set = fieldSetOf(type, applied);
  memo.remember({ type, value: applied }, set);
  return set;
}

function failed(message: string): ApplyResult {
  return { kind: "error", code: 500, message };
}

/** Applies, and once more by force if kubectl only takes over what its client-side apply wrote. */
function applyOnce(request: ApplyRequest & Checked, managers: Managers): Applied {
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

function finish(request: ApplyRequest, applied: Applied): ApplyResult {
  if (applied.conflicts !== undefined) {
    const { conflicts } = applied;
    return { kind: "conflicts", message: conflictMessage(conflicts), conflicts: describeConflicts(conflicts) };
  }
  const { live, nowIso } = request;
  const isChanged = applied.object !== live && !equalJson(applied.object, live);
  const managers = withoutIdentity(
    applied.managers,
    identityOf(ownerOf(request, "Apply")),
    isChanged ? nowIso : undefined,
  );
  const object = withLastApplied(request, isChanged ? applied.object : live);
  return { kind: "applied", object: withManagedFields(object, managers), isChanged };
}

function withoutIdentity(managers: Managers, identity: string, time: string | undefined): Managers {
  const own = managers.get(identity);
  if (own === undefined) return managers;
  const set = withoutNeverOwned(own.set);
  const result = new Map(managers);
  if (set.isEmpty) result.delete(identity);
  else result.set(identity, { ...own, set, ...(time === undefined ? {} : { time }) });
  return result;
}
