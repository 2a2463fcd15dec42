import { equalJson, isObject, type JsonObject } from "../schema/json.ts";
import { checkTyped } from "./check-typed.ts";
import { capUpdateManagers, decodeManagers, identityOf, type Managers } from "./managers.ts";
import type { FieldSet } from "./field-set.ts";
import { shapeMemos } from "./shape.ts";
import {
  describeObject,
  endpointOf,
  metadataOf,
  ownerOf,
  type TrackingRequest,
  withManagedFields,
  withoutManagedFields,
  withoutNeverOwned,
} from "./tracking.ts";
import { type Change, type Endpoint, updateManagers } from "./updater.ts";

export interface UpdateRequest extends TrackingRequest {
  /** The object about to be stored, defaulted, its managedFields as the client sent them. */
  readonly next: JsonObject;
}

/** The next object with its new managedFields. Called for create, update and the patches that are not applies. */
export function trackUpdate(request: UpdateRequest): JsonObject {
  const { live, next } = request;
  const managers = managersToUpdate(request);
  const isCreate = metadataOf(live)["uid"] === undefined;
  if (managers.size === 0 && !isCreate) return withManagedFields(next, managers);
  const change = { live: withoutManagedFields(live), next: withoutManagedFields(next) };
  const tracked = track(request, change, managers);
  // Objects that do not fit their type are nobody's, as on the server.
  return withManagedFields(next, typeof tracked === "string" ? new Map() : tracked);
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

/** A text if the objects do not fit their type: ownership can't be told then. */
export function track(request: TrackingRequest, change: Change, managers: Managers): Managers | string {
  const endpoint = endpointOf(request);
  const known = managers.size === 0 ? knownGain(endpoint, change) : undefined;
  if (known !== undefined) return withGain(request, managers, known);
  for (const role of ["next", "live"] as const) {
    const problem = checkTyped(endpoint.type, change[role], { allowsDuplicates: true });
    if (problem === undefined) continue;
    const name = role === "next" ? "new" : "live";
    return `failed to convert ${name} object (${describeObject(change[role])}) to smd typed: ${problem}`;
  }
  const { others, gained } = updateManagers(endpoint, change, managers);
  const set = withoutNeverOwned(gained);
  if (managers.size === 0) rememberGain(endpoint, change, set);
  return withGain(request, others, set);
}

function withGain(request: TrackingRequest, others: Managers, set: FieldSet): Managers {
  if (set.isEmpty) return capUpdateManagers(others);
  const owner = ownerOf(request, "Update");
  const identity = identityOf(owner);
  const previous = others.get(identity);
  const joined = previous === undefined ? set : previous.set.union(set);
  return capUpdateManagers(new Map(others).set(identity, { ...owner, set: joined, time: request.nowIso }));
}

/** What the first manager of an object gained by creating it. */
interface Gain {
  readonly live: JsonObject;
  readonly reset: FieldSet;
  readonly set: FieldSet;
}

const gains = shapeMemos<Gain>();

function knownGain({ type, reset }: Endpoint, { live, next }: Change): FieldSet | undefined {
  const known = gains(type).find(next);
  return known?.live === live && known.reset === reset ? known.set : undefined;
}

function rememberGain({ type, reset }: Endpoint, { live, next }: Change, set: FieldSet): void {
  gains(type).remember({ type, value: next, live }, { live, reset, set });
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
