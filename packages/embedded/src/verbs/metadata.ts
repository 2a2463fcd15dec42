// What the server itself writes into an object's metadata.
import type { Random } from "@chaski/clock";
import { badRequest, conflict } from "../errors/api-error.ts";
import type { Resource } from "../registry/resource.ts";
import { metadataOf, nameOf } from "../schema/fields.ts";
import { isObject, type JsonObject } from "../schema/json.ts";
import type { ResourceRequest } from "../request/request.ts";
import { isDryRun } from "../request/options.ts";
import { asText } from "../codec/text.ts";

/** Brings the body's namespace in line with the path's. */
export function placeInNamespace(object: JsonObject, { resource, namespace }: ResourceRequest): void {
  const metadata = metadataOf(object);
  const own = metadata["namespace"];
  if (resource.isNamespaced && own !== undefined && own !== "" && own !== namespace)
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  if (!resource.isNamespaced && own !== undefined && own !== "")
    throw badRequest("namespace may not be set on a cluster scoped resource");
  if (namespace === undefined) delete metadata["namespace"];
  else metadata["namespace"] = namespace;
}

export function requireName(object: JsonObject, { name }: ResourceRequest): void {
  const own = nameOf(object);
  if (own === "")
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (own !== name) throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
}

const GENERATED_LENGTH = 5;
const LONGEST_NAME = 63;
/** No vowels and no digits that read like them: generated names spell nothing. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

export function generateName(prefix: string, random: Random): string {
  const suffix = Array.from({ length: GENERATED_LENGTH }, () => ALPHABET[Math.floor(random() * ALPHABET.length)]);
  return `${prefix.slice(0, LONGEST_NAME - GENERATED_LENGTH)}${suffix.join("")}`;
}

/** Written by the server alone; what a client sends in an update is replaced by what is stored. */
const SYSTEM_FIELDS = [
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "generation",
  "selfLink",
];

/** `sparesUid`: a uid that differs is left to be refused. */
export function keepSystemFields(next: JsonObject, live: JsonObject, sparesUid: boolean): void {
  const [to, from] = [metadataOf(next), metadataOf(live)];
  for (const field of SYSTEM_FIELDS) {
    if (field === "uid" && sparesUid && to["uid"] !== undefined) continue;
    if (from[field] === undefined) delete to[field];
    else to[field] = from[field];
  }
}

export function checkUid(resource: Pick<Resource, "group" | "plural">, live: JsonObject, uid: unknown): void {
  const because = uidMismatch(live, uid);
  if (because !== undefined) throw conflict(resource, nameOf(live), because);
}

/** Where the storage's own check comes before the endpoint's: the same refusal in the storage's words. */
export function checkStoredUid(request: ResourceRequest, live: JsonObject, uid: unknown): void {
  const { resource, namespace } = request;
  const because = resource.isCustom ? undefined : uidMismatch(live, uid);
  if (because === undefined) return;
  const key = `${isDryRun(request) ? "" : "/registry"}/${resource.plural}/${namespace}/${nameOf(live)}`;
  const told = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${because}`;
  throw conflict(resource, nameOf(live), told);
}

function uidMismatch(live: JsonObject, uid: unknown): string | undefined {
  const actual = metadataOf(live)["uid"];
  if (uid === undefined || uid === "" || uid === actual) return undefined;
  return `Precondition failed: UID in precondition: ${asText(uid)}, UID in object meta: ${asText(actual)}`;
}

/** Whether a deleted object waits for nobody any more. */
export function isReadyToGo(object: JsonObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = metadataOf(object);
  const isHeld = (Array.isArray(finalizers) && finalizers.length > 0) || isHeldNamespace(object);
  return deletionTimestamp !== undefined && !isHeld && !deletionGracePeriodSeconds;
}

/** A namespace waits for `spec.finalizers` too. */
function isHeldNamespace({ kind, spec }: JsonObject): boolean {
  return kind === "Namespace" && isObject(spec) && Array.isArray(spec["finalizers"]) && spec["finalizers"].length > 0;
}
