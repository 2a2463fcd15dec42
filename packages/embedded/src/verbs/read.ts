import { notFound } from "../errors/api-error.ts";
import type { Resource } from "../registry/resource.ts";
import type { Api } from "../request/api.ts";
import type { Reply } from "../request/reply.ts";
import type { ResourceRequest } from "../request/request.ts";
import type { Stored } from "../storage/stored.ts";

export function get(api: Api, request: ResourceRequest): Reply {
  return replyWith(request, requireStored(api, request));
}

export function replyWith({ resource, subresource }: ResourceRequest, stored: Stored): Reply {
  if (subresource?.name === "status") return unhidden(resource, stored, 200);
  return { kind: "object", status: 200, resource, stored };
}

/** Through its status, and while it is being deleted, a Service shows what is hidden elsewhere. */
export function unhidden(resource: Resource, stored: Stored, status: number): Reply {
  const hides = resource.kind === "Service" && !resource.isCustom;
  return hides ? { kind: "json", status, body: stored.object } : { kind: "object", status, resource, stored };
}

export function requireStored(api: Api, { resource, namespace, name = "" }: ResourceRequest): Stored {
  const stored = api.store.collection(resource.collection).get(storageKey(namespace, name));
  if (!stored) throw notFound(resource, name);
  return stored;
}

export function storageKey(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
