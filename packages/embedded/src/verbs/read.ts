import { notFound } from "../errors/api-error.ts";
import type { Api } from "../server/api.ts";
import type { Reply } from "../server/reply.ts";
import type { ResourceRequest } from "../server/request.ts";
import type { Stored } from "../storage/stored.ts";

export function get(api: Api, request: ResourceRequest): Reply {
  return replyWith(request, requireStored(api, request));
}

/** Through its status a Service shows what is hidden elsewhere. */
export function replyWith({ resource, subresource }: ResourceRequest, stored: Stored): Reply {
  const isBare = subresource?.name === "status" && resource.kind === "Service" && !resource.isCustom;
  return isBare
    ? { kind: "json", status: 200, body: stored.object }
    : { kind: "object", status: 200, resource, stored };
}

export function requireStored(api: Api, { resource, namespace, name = "" }: ResourceRequest): Stored {
  const stored = api.store.collection(resource.collection).get(storageKey(namespace, name));
  if (!stored) throw notFound(resource, name);
  return stored;
}

export function storageKey(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
