import { objectAt } from "../schema/fields.ts";
import type { JsonObject } from "../schema/json.ts";
import { toJson } from "../codec/text.ts";

/** One state of one object. Never modified, so its serialisation is made once and shared by every reader. */
export class Stored {
  readonly key: string;
  readonly resourceVersion: number;
  readonly object: JsonObject;
  #rest: string | undefined;

  constructor(key: string, resourceVersion: number, object: JsonObject) {
    this.key = key;
    this.resourceVersion = resourceVersion;
    this.object = object;
  }

  /** The JSON without the opening brace, kind and apiVersion, which depend on the reader. */
  get rest(): string {
    this.#rest ??= restOf(this.object["kind"] === "Service" ? shownService(this.object) : this.object);
    return this.#rest;
  }
}

/** The object as readers see it: the policy of a Service that leads outside is kept, but never shown. */
function shownService(object: JsonObject): JsonObject {
  const spec = objectAt(object, "spec");
  if (spec?.["type"] !== "ExternalName" || spec["internalTrafficPolicy"] === undefined) return object;
  const { internalTrafficPolicy: _hidden, ...shown } = spec;
  return { ...object, spec: shown };
}

export function restOf(object: JsonObject): string {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return toJson(rest).slice(1);
}

export type EventType = "ADDED" | "MODIFIED" | "DELETED";

/** What a write did; readers see it in the order of resourceVersions. */
export interface StoreEvent {
  readonly type: EventType;
  readonly resourceVersion: number;
  readonly atMs: number;
  /** The state after; for a deletion the last one, with the deletion's resourceVersion. */
  readonly after: Stored;
  readonly before: Stored | undefined;
}

export type Listener = (event: StoreEvent) => void;
