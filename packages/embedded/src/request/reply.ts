import type { Resource } from "../registry/resource.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Stored } from "../storage/stored.ts";

/** What a verb answers, before it is brought into the form that the client accepts. */
export type Reply =
  /** An object of the requested resource. */
  | { readonly kind: "object"; readonly status: number; readonly resource: Resource; readonly stored: Stored }
  | {
      readonly kind: "list";
      readonly resource: Resource;
      readonly items: readonly Stored[];
      readonly metadata: JsonObject;
    }
  | { readonly kind: "watch"; readonly resource: Resource; readonly open: WatchOpener }
  /** Anything else: Status, Scale, discovery. */
  | { readonly kind: "json"; readonly status: number; readonly body: object; readonly contentType?: string }
  | { readonly kind: "text"; readonly status: number; readonly text: string };

/** Starts the watch, writing each event in the form that the client accepts. */
export type WatchOpener = (encode: EventEncoder) => AsyncIterable<Uint8Array>;

export type WatchEventType = "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";

export interface EventEncoder {
  event(type: WatchEventType, stored: Stored): Uint8Array;
  error(status: object): Uint8Array;
}

export function success(status: number, details: object): Reply {
  const body = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
  return { kind: "json", status, body };
}
