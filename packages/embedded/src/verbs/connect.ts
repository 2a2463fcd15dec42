// Creates that store nothing under their own name: reviews, bindings, evictions, tokens.
import { at, stringAt } from "../schema/fields.ts";
import { formatTime } from "../codec/times.ts";
import { ApiError, conflict, methodNotAllowed } from "../errors/api-error.ts";
import { decodeKind } from "../builtin/resources.ts";
import type { JsonObject } from "../schema/json.ts";
import { apiVersionOf } from "../registry/resource.ts";
import { reviewOf } from "./reviews.ts";
import type { Api } from "../request/api.ts";
import { type Reply } from "../request/reply.ts";
import type { ResourceRequest } from "../request/request.ts";
import { bindPod } from "./bind.ts";
import { decodeBody, decodeOr400, readBody } from "./body.ts";
import { removeStored } from "./delete.ts";
import { newUid } from "../storage/new-uid.ts";
import { trackWrite } from "./field-management.ts";
import { isDryRun, managerOf } from "../request/options.ts";
import { requireStored } from "./read.ts";

/** Undefined: the object is stored like any other. */
export function connect(api: Api, request: ResourceRequest): Reply | undefined {
  const { resource, subresource } = request;
  if (subresource) return SUBRESOURCES[`${resource.plural}/${subresource.name}`]?.(api, request) ?? refuse();
  const review = resource.verbs.includes("get") ? undefined : reviewOf(resource.kind);
  if (!review) return undefined;
  const nowIso = formatTime(api.clock.now());
  const tracking = { resource, subresource: "", manager: managerOf(request), nowIso };
  const object = trackWrite(tracking, undefined, decodeBody(request));
  return { kind: "json", status: 201, body: { ...object, status: review(api, request, object) } };
}

function refuse(): never {
  throw methodNotAllowed();
}

const SUBRESOURCES: Readonly<Record<string, (api: Api, request: ResourceRequest) => Reply>> = {
  "pods/binding": bind,
  "pods/eviction": evict,
  "serviceaccounts/token": issueToken,
};

function bodyOf(request: ResourceRequest): JsonObject {
  const { kind } = request.subresource ??
    request.resource.subresources.values().next().value ?? { kind: request.resource };
  return decodeOr400(kind, () => decodeKind(kind, readBody(request))).object;
}

const SUCCESS = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };

function bind(api: Api, request: ResourceRequest): Reply {
  const body = bodyOf(request);
  const stored = requireStored(api, request);
  const current = stringAt(stored.object, "spec", "nodeName");
  const node = stringAt(body, "target", "name");
  if (current !== "")
    throw conflict(
      { group: "", plural: "pods/binding" },
      stringAt(stored.object, "metadata", "name"),
      `pod ${stringAt(stored.object, "metadata", "name")} is already assigned to node ${JSON.stringify(current)}`,
    );
  if (!isDryRun(request)) bindPod(api, stored, node);
  return { kind: "json", status: 201, body: SUCCESS };
}

/** Refused while a budget has no disruption to spare. */
function evict(api: Api, request: ResourceRequest): Reply {
  const stored = requireStored(api, request);
  const budget = api.budgetAgainstEviction(stored.object);
  if (budget !== undefined)
    throw new ApiError({
      code: 429,
      reason: "TooManyRequests",
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: { causes: [{ reason: "DisruptionBudget", message: budget }] },
    });
  removeStored(api, request, { stored, options: { isDryRun: isDryRun(request) } });
  return { kind: "json", status: 201, body: SUCCESS };
}

const TOKEN_SECONDS = 3_600;

function issueToken(api: Api, request: ResourceRequest): Reply {
  const body = bodyOf(request);
  const { object } = requireStored(api, request);
  const [namespace, name] = [stringAt(object, "metadata", "namespace"), stringAt(object, "metadata", "name")];
  const seconds = Number(at(body, "spec", "expirationSeconds") ?? TOKEN_SECONDS);
  const token = `embedded.${newUid(api.random)}.${newUid(api.random)}`;
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
  api.authentication.addToken(token, {
    name: `system:serviceaccount:${namespace}:${name}`,
    uid: stringAt(object, "metadata", "uid"),
    groups,
  });
  api.clock.after(seconds * 1_000, () => api.authentication.removeToken(token));
  const expirationTimestamp = formatTime(api.clock.now() + seconds * 1_000);
  const kind = request.subresource?.kind ?? request.resource;
  return {
    kind: "json",
    status: 201,
    body: { ...body, kind: kind.kind, apiVersion: apiVersionOf(kind), status: { token, expirationTimestamp } },
  };
}
