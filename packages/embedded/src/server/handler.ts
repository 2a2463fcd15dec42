// From a request to a response, in the order in which the real server does it.
import type { TransportRequest, TransportResponse } from "@chaski/kube";
import { stringify as stringifyYaml } from "yaml";
import { requireAllowed } from "../auth/authorization.ts";
import { ADMIN, type User } from "../auth/user.ts";
import { ApiError, internalError, methodNotAllowed, noSuchResource, tooLarge } from "../errors/api-error.ts";
import type { Resource } from "../registry/resource.ts";
import { create } from "../verbs/create.ts";
import { remove, removeCollection } from "../verbs/delete.ts";
import { list } from "../verbs/list.ts";
import { patch } from "../verbs/patch.ts";
import { get, requireStored } from "../verbs/read.ts";
import { update } from "../verbs/update.ts";
import { shownScale } from "../verbs/views.ts";
import { watch } from "../verbs/watch.ts";
import type { Api } from "../request/api.ts";
import { encodeList, encodeStored, SharedEventEncoder } from "./encode.ts";
import { type Negotiated, negotiate } from "./negotiation.ts";
import type { Reply } from "../request/reply.ts";
import {
  parseResourcePath,
  parseTarget,
  type ResourcePath,
  type Target,
  type ResourceRequest,
  verbOf,
  type Verb,
} from "../request/request.ts";
import { answerOutsideResources } from "./root-paths.ts";
import { toJson } from "../codec/text.ts";
import { WholeBody } from "./whole-body.ts";

/** The real server's own limit on a request's body. */
export const BODY_BYTES_MAX = 3 * 1024 * 1024;

export class Handler {
  readonly #api: Api;
  readonly #encoders = new WeakMap<Resource, Map<string, SharedEventEncoder>>();

  constructor(api: Api) {
    this.#api = api;
  }

  async handle(request: TransportRequest, user: User = ADMIN): Promise<TransportResponse> {
    const warnings: string[] = [];
    try {
      return await this.#answer(request, user, warnings);
    } catch (error) {
      const refusal = error instanceof ApiError ? error : internalError((error as Error).message);
      return jsonResponse(refusal.status.code, refusal.body(), headersOf(warnings, refusal));
    }
  }

  async #answer(request: TransportRequest, user: User, warnings: string[]): Promise<TransportResponse> {
    if ((request.body?.length ?? 0) > BODY_BYTES_MAX)
      throw tooLarge(`Request entity too large: limit is ${BODY_BYTES_MAX}`);
    const url = parseTarget(request.path);
    const parsed = parseResourcePath(url.pathname);
    const path = parsed && this.#api.registry.hasGroup(parsed.group) ? parsed : undefined;
    if (!path) requireAllowed(this.#api.authorizer, user, { verb: request.method.toLowerCase(), path: url.pathname });
    const root = path ? undefined : answerOutsideResources(this.#api, url, request);
    if (root) return this.#respond(root, negotiateLoosely(request), { url, warnings });
    const resourceRequest = this.#understand(request, url, { path, user, warnings });
    this.#authorize(resourceRequest);
    const negotiated = negotiate(request.headers["accept"], request.headers["user-agent"]);
    const reply = await VERBS[resourceRequest.verb](this.#api, resourceRequest);
    return this.#respond(reply, negotiated, { url, warnings });
  }

  #authorize({ verb, resource, subresource, namespace = "", name = "", user }: ResourceRequest): void {
    requireAllowed(this.#api.authorizer, user, {
      verb,
      group: resource.group,
      resource: resource.plural,
      subresource: subresource?.name ?? "",
      namespace,
      name,
    });
  }

  #understand(
    request: TransportRequest,
    url: Target,
    { path, user, warnings }: { path: ResourcePath | undefined; user: User; warnings: string[] },
  ): ResourceRequest {
    const resource = path && this.#api.registry.find(path.group, path.version, path.plural);
    if (!resource || (path.namespace !== undefined && !resource.isNamespaced)) throw noSuchResource();
    const subresource = path.subresource === undefined ? undefined : resource.subresources.get(path.subresource);
    if (path.subresource !== undefined && !subresource) throw noSuchResource();
    const verb = verbOf(request, path.name, url.searchParams);
    requireVerb(verb, {
      resource,
      name: path.name,
      namespace: path.namespace,
      verbs: (subresource ?? resource).verbs,
      hasSubresource: subresource !== undefined,
    });
    return {
      verb,
      resource,
      subresource,
      namespace: path.namespace,
      name: path.name,
      query: url.searchParams,
      headers: request.headers,
      body: request.body ?? "",
      signal: request.signal,
      user,
      warnings,
    };
  }

  #respond(
    reply: Reply,
    negotiated: Negotiated,
    { url, warnings }: { url: Target; warnings: string[] },
  ): TransportResponse {
    const { view } = negotiated;
    const includeObject = url.searchParams.get("includeObject") ?? undefined;
    const nowMs = this.#api.clock.now();
    switch (reply.kind) {
      case "text":
        return {
          status: reply.status,
          headers: { "content-type": "text/plain; charset=utf-8" },
          body: new WholeBody(reply.text),
        };
      case "json":
        return textResponse(reply.status, toJson(reply.body), negotiated, {
          ...headersOf(warnings),
          ...(reply.contentType && { "content-type": reply.contentType }),
        });
      case "object": {
        const text = encodeStored(reply.stored, { resource: reply.resource, view, nowMs, includeObject });
        return textResponse(reply.status, text, negotiated, headersOf(warnings));
      }
      case "list": {
        const text = encodeList(reply.items, reply.metadata, { resource: reply.resource, view, nowMs, includeObject });
        return textResponse(200, text, negotiated, headersOf(warnings));
      }
      default:
        return {
          status: 200,
          headers: { "content-type": "application/json", ...headersOf(warnings) },
          body: reply.open(this.#encoderOf(reply.resource, negotiated, includeObject)),
        };
    }
  }

  #encoderOf(resource: Resource, { view }: Negotiated, includeObject: string | undefined): SharedEventEncoder {
    if (view === "table")
      return new SharedEventEncoder({ resource, view, nowMs: this.#api.clock.now(), includeObject });
    let byView = this.#encoders.get(resource);
    if (!byView) this.#encoders.set(resource, (byView = new Map()));
    let encoder = byView.get(view);
    if (!encoder)
      byView.set(view, (encoder = new SharedEventEncoder({ resource, view, nowMs: 0, includeObject: undefined })));
    return encoder;
  }
}

const VERBS: Readonly<Record<Verb, (api: Api, request: ResourceRequest) => Reply | Promise<Reply>>> = {
  get: (api, request) => (request.subresource?.name === "scale" ? readScale(api, request) : get(api, request)),
  list,
  watch,
  create,
  update,
  patch,
  delete: remove,
  deletecollection: removeCollection,
};

function readScale(api: Api, request: ResourceRequest): Reply {
  const stored = requireStored(api, request);
  return { kind: "json", status: 200, body: shownScale(request.resource, stored.object) };
}

interface Place {
  readonly resource: Resource;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly verbs: readonly string[];
  readonly hasSubresource: boolean;
}

const ON_COLLECTIONS: readonly Verb[] = ["create", "list", "watch", "deletecollection"];

function requireVerb(verb: Verb, { resource, name, namespace, verbs, hasSubresource }: Place): void {
  const isEverywhere = resource.isNamespaced && namespace === undefined;
  if (isEverywhere && name !== undefined) throw noSuchResource();
  const isMisplaced = isEverywhere
    ? verb !== "list" && verb !== "watch"
    : (name === undefined) !== (ON_COLLECTIONS.includes(verb) && !hasSubresource);
  if (!verbs.includes(verb) || isMisplaced) throw methodNotAllowed();
}

/** Discovery and health never refuse a client for what it accepts. */
function negotiateLoosely({ headers }: TransportRequest): Negotiated {
  try {
    return negotiate(headers["accept"], headers["user-agent"]);
  } catch {
    return { view: "object", format: "json", isPretty: false };
  }
}

function headersOf(warnings: readonly string[], refusal?: ApiError): Record<string, string> {
  const retryAfter = refusal?.status.details?.retryAfterSeconds;
  return {
    ...(warnings.length > 0 && { warning: warnings.map((text) => `299 - ${toJson(text)}`).join(", ") }),
    ...(retryAfter !== undefined && { "retry-after": `${retryAfter}` }),
  };
}

function textResponse(
  status: number,
  text: string,
  { format, isPretty }: Negotiated,
  headers: Record<string, string>,
): TransportResponse {
  if (format === "yaml")
    return {
      status,
      headers: { "content-type": "application/yaml", ...headers },
      body: new WholeBody(stringifyYaml(JSON.parse(text))),
    };
  const body = isPretty ? JSON.stringify(JSON.parse(text), undefined, 2) : `${text}\n`;
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: new WholeBody(body),
  };
}

function jsonResponse(status: number, body: object, headers: Record<string, string>): TransportResponse {
  const text = `${toJson(body)}\n`;
  return { status, headers: { "content-type": "application/json", ...headers }, body: new WholeBody(text) };
}
