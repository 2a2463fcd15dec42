// Brings a reply into the form that was negotiated. Objects are serialised once and shared: what differs between
// readers (kind, apiVersion, the event's type) is put around the shared text.
import { type JsonObject, own } from "../schema/json.ts";
import { apiVersionOf, type Resource } from "../registry/resource.ts";
import { restOf, type Stored } from "../storage/stored.ts";
import type { View } from "./negotiation.ts";
import type { EventEncoder, WatchEventType } from "../request/reply.ts";
import { tableOf } from "./table.ts";
import { toJson } from "../codec/text.ts";

export interface EncodeOptions {
  readonly resource: Resource;
  readonly view: View;
  readonly nowMs: number;
  /** Of tables: which part of the object a row carries. */
  readonly includeObject: string | undefined;
}

/** An object as JSON text. */
export function encodeStored(stored: Stored, { resource, view, nowMs, includeObject }: EncodeOptions): string {
  if (view === "metadata") return toJson(partialMetadata(stored));
  if (view === "object") return encodeWhole(stored, resource);
  return toJson(tableOf([stored], { resource, nowMs, includeObject, metadata: listMetadataOf(stored) }));
}

export function encodeList(items: readonly Stored[], metadata: JsonObject, options: EncodeOptions): string {
  const { resource, view, nowMs, includeObject } = options;
  if (view === "table") return toJson(tableOf(items, { resource, nowMs, includeObject, metadata }));
  const isMetadata = view === "metadata";
  const kind = isMetadata ? "PartialObjectMetadataList" : resource.listKind;
  const apiVersion = isMetadata ? "meta.k8s.io/v1" : apiVersionOf(resource);
  const texts = items.map((stored) => encodeItem(stored, options));
  const listMetadata = resource.isCustom && !isMetadata ? { continue: "", ...metadata } : metadata;
  const head = toJson({ kind, apiVersion, metadata: listMetadata }).slice(0, -1);
  return `${head},"items":[${texts.join(",")}]}`;
}

/** Lists of built-in kinds carry neither kind nor apiVersion in their items. */
function encodeItem(stored: Stored, { resource, view }: EncodeOptions): string {
  if (view === "metadata") return toJson(partialMetadata(stored));
  if (resource.isCustom) return encodeWhole(stored, resource);
  return `{${resource.fromStored ? restOf(resource.fromStored(stored.object)) : stored.rest}`;
}

function encodeWhole(stored: Stored, resource: Resource): string {
  const head = `{"kind":"${resource.kind}","apiVersion":"${apiVersionOf(resource)}",`;
  return head + (resource.fromStored ? restOf(resource.fromStored(stored.object)) : stored.rest);
}

/** Watchers of one resource in one view share the bytes of the latest event: fan-out encodes once. */
export class SharedEventEncoder implements EventEncoder {
  readonly #options: EncodeOptions;
  #last: { readonly type: WatchEventType; readonly stored: Stored; readonly bytes: Uint8Array } | undefined;

  constructor(options: EncodeOptions) {
    this.#options = options;
  }

  event(type: WatchEventType, stored: Stored): Uint8Array {
    if (this.#last?.stored === stored && this.#last.type === type) return this.#last.bytes;
    const bytes = Buffer.from(`{"type":"${type}","object":${encodeStored(stored, this.#options)}}\n`);
    this.#last = { type, stored, bytes };
    return bytes;
  }

  error(status: object): Uint8Array {
    return Buffer.from(`${toJson({ type: "ERROR", object: status })}\n`);
  }
}

function partialMetadata(stored: Stored): JsonObject {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: own(stored.object, "metadata") };
}

function listMetadataOf(stored: Stored): JsonObject {
  return { resourceVersion: `${stored.resourceVersion}` };
}
