// What an endpoint of an object shows and takes: the whole object, its status, or its scale.
import { textAt } from "../builtin/selectable-fields.ts";
import { notNegative } from "../builtin/causes.ts";
import { checkMetadata } from "../builtin/metadata-validation.ts";
import type { Cause } from "../schema/cause.ts";
import { badRequest, internalError, invalid, noSuchResource } from "../errors/api-error.ts";
import { decodeKind } from "../builtin/resources.ts";
import { apiVersionOf, type GroupVersionKind, type Resource, type ScalePaths } from "../registry/resource.ts";
import { cloneJson, isObject, type JsonObject, own } from "../schema/json.ts";
import { metadataOf, nameOf } from "../schema/fields.ts";
import { checkUid } from "./metadata.ts";

export interface ObjectView {
  readonly subresource: "" | "finalize" | "scale" | "status";
  /** The kind of what is read and written here. */
  readonly kind: GroupVersionKind;
  readonly read: (live: JsonObject) => JsonObject;
  /** The object to store when a client wrote `next` here. */
  readonly write: (live: JsonObject, next: JsonObject) => JsonObject;
  readonly decode: Resource["decode"];
}

export function viewOf(resource: Resource, subresource: string | undefined): ObjectView {
  switch (subresource) {
    case undefined:
      return mainView(resource);
    case "finalize":
      return finalizeView(resource);
    case "status":
      return statusView(resource);
    case "scale":
      return scaleView(resource);
    default:
      throw noSuchResource();
  }
}

function mainView(resource: Resource): ObjectView {
  const hasStatus = resource.subresources.has("status");
  return {
    subresource: "",
    kind: resource,
    read: (live) => live,
    decode: resource.decode,
    write: (live, next) => (hasStatus ? withStatusOf(live, next) : next),
  };
}

function withStatusOf(live: JsonObject, next: JsonObject): JsonObject {
  const { status: _status, ...rest } = next;
  const status = own(live, "status");
  return status === undefined ? rest : { ...rest, status: cloneJson(status) };
}

/** Of a namespace: its finalizers alone. */
function finalizeView(resource: Resource): ObjectView {
  return {
    subresource: "finalize",
    kind: resource,
    read: (live) => live,
    decode: resource.decode,
    write: (live, next) => withStatusOf(live, next),
  };
}

/** Everything but the status stays; of the metadata, custom resources keep all. */
function statusView(resource: Resource): ObjectView {
  return {
    subresource: "status",
    kind: resource,
    read: (live) => live,
    decode: resource.decode,
    write: (live, next) => {
      const kept = cloneJson(live);
      const status = own(next, "status");
      if (status === undefined) delete kept["status"];
      else kept["status"] = status;
      kept["metadata"] = statusMetadata(resource, live, next);
      return kept;
    },
  };
}

function statusMetadata(resource: Resource, live: JsonObject, next: JsonObject): JsonObject {
  const { resourceVersion, managedFields } = metadataOf(next);
  const metadata = resource.isCustom ? cloneJson(metadataOf(live)) : metadataOf(next);
  return { ...metadata, resourceVersion, ...(managedFields !== undefined && { managedFields }) };
}

const SCALE: GroupVersionKind = { group: "autoscaling", version: "v1", kind: "Scale" };

function scaleView(resource: Resource): ObjectView {
  const paths = resource.scalePaths;
  if (!paths) throw noSuchResource();
  return {
    subresource: "scale",
    kind: SCALE,
    read: (live) => scaleOf(live, paths, resource.isCustom && isMissing(live, paths.specReplicas) ? UNSET : undefined),
    decode: (value) => decodeKind(SCALE, value),
    write: (live, next) => {
      const replicas = numberAt(next, ["spec", "replicas"]);
      const causes = resource.isCustom ? [] : scaleCauses(resource, next);
      if (causes.length > 0) throw invalid(SCALE, nameOf(live), causes);
      if (resource.isCustom && replicas === UNSET)
        throw badRequest(`the spec replicas field ".${paths.specReplicas.join(".")}" cannot be empty`);
      const scaled = cloneJson(live);
      const { resourceVersion, uid } = metadataOf(next);
      if (!resource.isCustom) checkUid({ group: resource.group, plural: `${resource.plural}/scale` }, live, uid);
      Object.assign(metadataOf(scaled), { resourceVersion, ...(uid !== undefined && { uid }) });
      putAt(scaled, paths.specReplicas, replicas);
      return scaled;
    },
  };
}

function scaleCauses(resource: Resource, scale: JsonObject): Cause[] {
  const ofScale = { ...resource, ...SCALE, strategy: {} };
  return [...checkMetadata(ofScale, scale), ...notNegative("spec.replicas", numberAt(scale, ["spec", "replicas"]))];
}

function isMissing(object: JsonObject, path: readonly string[]): boolean {
  return valueAt(object, path) === undefined;
}

/** Stands for replicas that the object does not have, as on the real server. */
const UNSET = -(2 ** 31);

/** A Scale that nobody has set replicas of can be written, but not read. */
export function shownScale(resource: Resource, live: JsonObject): JsonObject {
  const path = resource.scalePaths?.specReplicas ?? [];
  if (resource.isCustom && isMissing(live, path))
    throw internalError(`the spec replicas field ".${path.join(".")}" does not exist`);
  return viewOf(resource, "scale").read(live);
}

function scaleOf(live: JsonObject, paths: ScalePaths, unset: number | undefined): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadataOf(live);
  const selector = paths.selector ? selectorText(live, paths.selector) : "";
  const replicas = unset ?? numberAt(live, paths.specReplicas);
  return {
    kind: SCALE.kind,
    apiVersion: apiVersionOf(SCALE),
    metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: numberAt(live, paths.statusReplicas), ...(selector && { selector }) },
  };
}

function valueAt(object: JsonObject, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const segment of path) value = isObject(value) ? own(value, segment) : undefined;
  return value;
}

function putAt(object: JsonObject, path: readonly string[], value: unknown): void {
  const parents = path.slice(0, -1);
  let parent = object;
  for (const segment of parents) {
    const child = own(parent, segment);
    const next = isObject(child) ? child : {};
    parent[segment] = next;
    parent = next;
  }
  parent[path.at(-1) ?? ""] = value;
}

function numberAt(object: JsonObject, path: readonly string[]): number {
  const value = valueAt(object, path);
  return typeof value === "number" ? value : 0;
}

function selectorText(live: JsonObject, path: readonly string[]): string {
  const value = valueAt(live, path);
  if (!isObject(value)) return textAt(live, path);
  const labels = own(value, "matchLabels");
  const equalities = isObject(labels) ? Object.keys(labels).map((key) => `${key}=${labels[key]}`) : [];
  const expressions = own(value, "matchExpressions");
  const sets = Array.isArray(expressions) ? expressions.map(expressionText) : [];
  return [...equalities, ...sets].toSorted().join(",");
}

function expressionText(expression: { key: string; operator: string; values?: string[] }): string {
  const { key, operator, values = [] } = expression;
  if (operator === "Exists") return key;
  if (operator === "DoesNotExist") return `!${key}`;
  return `${key} ${operator === "In" ? "in" : "notin"} (${values.toSorted().join(",")})`;
}
