import { ADMIN } from "../auth/user.ts";
import type { Resource } from "../registry/resource.ts";
import type { ResourceRequest } from "./request.ts";

export interface InternalTarget {
  readonly resource: Resource;
  readonly name: string;
  readonly namespace?: string;
  readonly subresource?: string;
  /** Who writes, in managedFields. */
  readonly manager?: string;
}

/** A write of the server's own, by the same path as everybody's. */
export function internalRequest({
  resource,
  name,
  namespace,
  subresource,
  manager = "kube-apiserver",
}: InternalTarget): ResourceRequest {
  return {
    verb: "update",
    resource,
    subresource: subresource === undefined ? undefined : resource.subresources.get(subresource),
    namespace,
    name,
    query: new URLSearchParams(),
    headers: { "user-agent": manager },
    body: "",
    signal: undefined,
    user: ADMIN,
    warnings: [],
  };
}
