import { ApiError, forbidden, notFound } from "../errors/api-error.ts";
import type { Api } from "../request/api.ts";
import { metadataOf, nameOf } from "../schema/fields.ts";
import type { Admission } from "./admission.ts";

const NAMESPACES = { group: "", plural: "namespaces" };

/** Nothing new in a namespace that is not there or on its way out. */
export function requireLiveNamespace(api: Api, { request, object }: Admission): void {
  const { namespace, resource } = request;
  if (namespace === undefined || !resource.isNamespaced || isAccessReview(resource.group)) return;
  const stored = api.store.collection("/namespaces").get(namespace);
  if (!stored) throw notFound(NAMESPACES, namespace);
  if (metadataOf(stored.object)["deletionTimestamp"] === undefined) return;
  const refusal = forbidden(
    resource,
    object ? nameOf(object) : "",
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  throw new ApiError({
    ...refusal.status,
    details: { ...refusal.status.details, causes: [terminatingCause(namespace)] },
  });
}

function isAccessReview(group: string): boolean {
  return group === "authorization.k8s.io";
}

function terminatingCause(namespace: string): { reason: string; message: string; field: string } {
  return {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  };
}

const IMMORTAL = new Set(["default", "kube-system", "kube-public"]);

export function requireMortal(name: string): void {
  if (IMMORTAL.has(name)) throw forbidden(NAMESPACES, name, "this namespace may not be deleted");
}
