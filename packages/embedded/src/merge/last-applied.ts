import { goJson } from "../schema/go-format.ts";
import { isObject, type JsonObject, own } from "../schema/json.ts";
import { checkTyped } from "./check-typed.ts";
import { compare } from "./compare.ts";
import type { FieldSet } from "./field-set.ts";
import { fieldSetOf } from "./field-set-of.ts";
import type { Endpoint } from "./updater.ts";

// kubectl's way from client-side to server-side apply: what its annotation says it wrote, it may take over.

const annotation = "kubectl.kubernetes.io/last-applied-configuration";

interface Application {
  readonly live: JsonObject;
  readonly applied: JsonObject;
  readonly manager: string;
}

/** Fields that live still has as client-side apply wrote them; undefined without a usable annotation. */
export function allowedByLastApplied(endpoint: Endpoint, { live }: Application): FieldSet | undefined {
  const lastApplied = parsed(annotationOf(live));
  if (lastApplied === undefined || lastApplied["apiVersion"] !== endpoint.apiVersion) return undefined;
  if (checkTyped(endpoint.type, live) !== undefined) return undefined;
  if (checkTyped(endpoint.type, lastApplied) !== undefined) return undefined;
  const { modified, added, removed } = compare(endpoint.type, lastApplied, live);
  return fieldSetOf(endpoint.type, lastApplied).difference(modified).difference(added).difference(removed);
}

function parsed(text: string | undefined): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function annotationOf(object: JsonObject): string | undefined {
  const metadata = object["metadata"];
  const annotations = isObject(metadata) ? metadata["annotations"] : undefined;
  const text = isObject(annotations) ? own(annotations, annotation) : undefined;
  return typeof text === "string" && text !== "" ? text : undefined;
}

/** kubectl's server-side apply keeps the annotation up to date, where there is one. */
export function withLastApplied({ applied, manager }: Application, object: JsonObject): JsonObject {
  if (manager !== "kubectl" || annotationOf(object) === undefined) return object;
  const text = `${goJson(withoutAnnotation(applied))}\n`;
  const metadata = object["metadata"] as JsonObject;
  const annotations = metadata["annotations"] as JsonObject;
  return { ...object, metadata: { ...metadata, annotations: { ...annotations, [annotation]: text } } };
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  const metadata = applied["metadata"];
  if (!isObject(metadata) || !isObject(metadata["annotations"])) return applied;
  const { [annotation]: _, ...annotations } = metadata["annotations"];
  return { ...applied, metadata: { ...metadata, annotations } };
}
