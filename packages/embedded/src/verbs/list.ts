import { ApiError, badRequest, gone } from "../errors/api-error.ts";
import { parseFieldSelector } from "../selectors/fields.ts";
import { type Matcher, parseLabelSelector } from "../selectors/labels.ts";
import type { Api } from "../request/api.ts";
import type { Reply } from "../request/reply.ts";
import type { ResourceRequest } from "../request/request.ts";
import type { JsonObject } from "../schema/json.ts";
import { CompactedError } from "../storage/collection.ts";
import type { Stored } from "../storage/stored.ts";
import { countIn } from "../request/options.ts";

export function list(api: Api, request: ResourceRequest): Reply {
  const { resource, query } = request;
  countIn(query, "timeoutSeconds");
  const matches = matcherOf(request);
  const limit = countIn(query, "limit") ?? Number.POSITIVE_INFINITY;
  const { items, resourceVersion } = readState(api, request);
  const found = matches ? items.filter(({ object }) => matches(object)) : items;
  const page = found.slice(0, limit);
  const remaining = found.length - page.length;
  const metadata: JsonObject = { resourceVersion: `${resourceVersion}` };
  if (remaining > 0) {
    metadata["continue"] = continueToken(resourceVersion, page.at(-1)?.key ?? "");
    if (!matches) metadata["remainingItemCount"] = remaining;
  }
  return { kind: "list", resource, items: page, metadata };
}

/** What the request's selectors let through; undefined: everything. */
export function matcherOf({ resource, query }: ResourceRequest): Matcher | undefined {
  const byLabels = parseLabelSelector(query.get("labelSelector") ?? "");
  const byFields = parseFieldSelector(query.get("fieldSelector") ?? "", resource);
  const { fromStored } = resource;
  const readFields = byFields && fromStored ? (object: JsonObject) => byFields(fromStored(object)) : byFields;
  if (!byLabels || !readFields) return byLabels ?? readFields;
  return (object) => byLabels(object) && readFields(object);
}

interface State {
  readonly items: Stored[];
  readonly resourceVersion: number;
}

function readState(api: Api, { resource, namespace, query }: ResourceRequest): State {
  const collection = api.store.collection(resource.collection);
  const prefix = namespace === undefined ? "" : `${namespace}/`;
  const token = query.get("continue") ?? "";
  if (token !== "") {
    if (!["", "0", null].includes(query.get("resourceVersion")))
      throw badRequest("specifying resource version is not allowed when using continue");
    return continueFrom(token, (at) => collection.listAt(at, prefix));
  }
  const wanted = requestedVersion(api, query);
  if (wanted !== undefined && query.get("resourceVersionMatch") === "Exact")
    return { items: orExpired(() => collection.listAt(wanted, prefix), wanted), resourceVersion: wanted };
  return { items: [...collection.list(prefix)], resourceVersion: api.store.resourceVersion };
}

/** Undefined: whatever is current. */
function requestedVersion(api: Api, query: URLSearchParams): number | undefined {
  const text = query.get("resourceVersion") ?? "";
  if (query.get("sendInitialEvents") !== null)
    throw invalidListOptions("sendInitialEvents", "Forbidden", "sendInitialEvents is forbidden for list");
  checkVersionMatch(text, query.get("resourceVersionMatch") ?? "");
  const version = parseResourceVersion(text);
  if (Number.isNaN(version)) throw badRequest(`invalid resource version: ${unreadableVersion(text)}`);
  const current = api.store.resourceVersion;
  if (version !== undefined && version > current) throw tooLargeVersion(version, current);
  return version;
}

function checkVersionMatch(version: string, match: string): void {
  const field = "resourceVersionMatch";
  if (match !== "" && version === "")
    throw invalidListOptions(
      field,
      "Forbidden",
      "resourceVersionMatch is forbidden unless resourceVersion is provided",
    );
  if (match === "Exact" && version === "0")
    throw invalidListOptions(field, "Forbidden", 'resourceVersionMatch "Exact" is forbidden for resourceVersion "0"');
  if (!["", "Exact", "NotOlderThan"].includes(match))
    throw invalidListOptions(field, "NotSupported", `supported values: "Exact", "NotOlderThan", ""`);
}

/** Undefined when absent or zero; NaN when it is no version. */
export function parseResourceVersion(text: string): number | undefined {
  if (text === "" || text === "0") return undefined;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

export function unreadableVersion(text: string): string {
  const quoted = JSON.stringify(text);
  return `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
}

function tooLargeVersion(requested: number, current: number): ApiError {
  const message = `Timeout: Too large resource version: ${requested}, current: ${current}`;
  const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
  return new ApiError({ code: 504, reason: "Timeout", message, details: { causes, retryAfterSeconds: 1 } });
}

export function invalidListOptions(
  field: string,
  kind: "Forbidden" | "Invalid" | "NotSupported",
  text: string,
): ApiError {
  const message = `${kind === "NotSupported" ? "Unsupported value" : kind === "Invalid" ? "Invalid value" : kind}: ${text}`;
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `ListOptions.meta.k8s.io "" is invalid: ${field}: ${message}`,
    details: { group: "meta.k8s.io", kind: "ListOptions", causes: [{ reason: `FieldValue${kind}`, message, field }] },
  });
}

function continueToken(resourceVersion: number, lastKey: string): string {
  const token = { v: "meta.k8s.io/v1", rv: resourceVersion, start: `${lastKey}\u0000` };
  return Buffer.from(JSON.stringify(token)).toString("base64url");
}

function continueFrom(token: string, listAt: (resourceVersion: number) => Stored[]): State {
  const { rv, start } = parseToken(token);
  const items = orExpired(() => listAt(rv), rv).filter(({ key }) => key >= start);
  return { items, resourceVersion: rv };
}

function parseToken(token: string): { rv: number; start: string } {
  try {
    const parsed = JSON.parse(Buffer.from(token, "base64url").toString()) as { v: string; rv: number; start: string };
    if (parsed.v === "meta.k8s.io/v1" && Number.isInteger(parsed.rv) && typeof parsed.start === "string") return parsed;
  } catch {
    // Refused below, as any other token that is not ours.
  }
  throw badRequest("continue key is not valid: encoded continue token is not valid");
}

const TOO_OLD =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.";

function orExpired(read: () => Stored[], resourceVersion: number): Stored[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof CompactedError) throw gone(resourceVersion === 0 ? "compacted" : TOO_OLD);
    throw error;
  }
}
