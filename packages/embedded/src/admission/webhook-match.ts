// Which webhooks a write concerns.
import { at, objectAt, objectsAt, stringAt, stringsAt } from "../schema/fields.ts";
import { isEmptySelector, selects } from "../builtin/label-selectors.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Api } from "../request/api.ts";
import type { ResourceRequest } from "../request/request.ts";
import type { Admission } from "./admission.ts";

const GROUP = "admissionregistration.k8s.io";

export type WebhookKind = "mutating" | "validating";

/** By the names of their configurations, then in the order they stand in there. */
export function webhooksFor(api: Api, kind: WebhookKind, admission: Admission): JsonObject[] {
  const { resource } = admission.request;
  // Nobody can lock themselves out of repairing a webhook.
  if (resource.group === GROUP) return [];
  const collection = api.store.collection(`${GROUP}/${kind}webhookconfigurations`);
  if (collection.size === 0) return [];
  return [...collection.list()]
    .flatMap(({ object }) => objectsAt(object, "webhooks"))
    .filter((webhook) => concerns(api, webhook, admission));
}

function concerns(api: Api, webhook: JsonObject, admission: Admission): boolean {
  return (
    objectsAt(webhook, "rules").some((rule) => matchesRule(rule, admission, webhook["matchPolicy"] !== "Exact")) &&
    matchesNamespace(api, webhook, admission) &&
    matchesObject(webhook, admission)
  );
}

function matchesRule(rule: JsonObject, { request, operation }: Admission, isAnyVersion: boolean): boolean {
  const { resource } = request;
  const has = (key: string, value: string): boolean => {
    const allowed = stringsAt(rule, key);
    return allowed.includes("*") || allowed.includes(value);
  };
  return (
    has("operations", operation) &&
    has("apiGroups", resource.group) &&
    (isAnyVersion || has("apiVersions", resource.version)) &&
    matchesResource(stringsAt(rule, "resources"), request) &&
    matchesScope(stringAt(rule, "scope"), resource.isNamespaced)
  );
}

function matchesResource(patterns: readonly string[], { resource, subresource }: ResourceRequest): boolean {
  const own = subresource?.name ?? "";
  return patterns.some((pattern) => {
    const [plural = "", sub = ""] = pattern.split("/");
    return (plural === "*" || plural === resource.plural) && (sub === own || sub === "*");
  });
}

function matchesScope(scope: string, isNamespaced: boolean): boolean {
  return scope === "" || scope === "*" || (scope === "Namespaced") === isNamespaced;
}

function matchesNamespace(api: Api, webhook: JsonObject, { request, object, live }: Admission): boolean {
  const selector = objectAt(webhook, "namespaceSelector") ?? {};
  if (isEmptySelector(selector)) return true;
  const isNamespace = request.resource.collection === "/namespaces";
  if (!isNamespace && request.namespace === undefined) return true;
  const namespace = isNamespace
    ? (object ?? live)
    : api.store.collection("/namespaces").get(request.namespace ?? "")?.object;
  return selects(selector, objectAt(namespace, "metadata", "labels") ?? {});
}

/** Either state of the object may match. */
function matchesObject(webhook: JsonObject, { object, live }: Admission): boolean {
  const selector = objectAt(webhook, "objectSelector") ?? {};
  if (isEmptySelector(selector)) return true;
  return [object, live].some((state) => state !== undefined && selects(selector, labelsOf(state)));
}

function labelsOf(object: JsonObject): JsonObject {
  const labels = at(object, "metadata", "labels");
  return (labels ?? {}) as JsonObject;
}
