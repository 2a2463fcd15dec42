import type { Random } from "@chaski/clock";
import type { Cause } from "../schema/cause.ts";
import type { JsonObject } from "../schema/json.ts";

/** What a strategy may use of the server while it prepares an object. */
export interface Preparation {
  readonly nowIso: string;
  readonly namespace: string | undefined;
  readonly isDryRun: boolean;
  readonly random: Random;
  /** The stored objects of a collection such as `/services`. */
  readonly list: (collection: string) => Iterable<JsonObject>;
}

/**
 * What one kind does differently from the others, as the real server's strategies do. Objects handed in are the
 * caller's own copies and may be changed in place; `live` never.
 */
export interface Strategy {
  /** Fills in what the type's defaults say; runs whenever an object is read. `sent` has what reading leaves out. */
  readonly setDefaults?: (object: JsonObject, sent: JsonObject) => void;
  readonly prepareForCreate?: (object: JsonObject, preparation: Preparation) => void;
  readonly prepareForUpdate?: (next: JsonObject, live: JsonObject, preparation: Preparation) => void;
  readonly prepareStatus?: (next: JsonObject, live: JsonObject) => void;
  /** The built-in admission of the kind: runs after decoding, before validation, on creates and updates. */
  readonly admit?: (object: JsonObject, live: JsonObject | undefined, preparation: Preparation) => void;
  /** All problems of an object that is otherwise well-formed; `live` is what it replaces. */
  readonly validate?: (object: JsonObject, live: JsonObject | undefined) => readonly Cause[];
  readonly validateStatus?: (object: JsonObject, live: JsonObject) => readonly Cause[];
  /** Undefined: the kind has no generation. Else whether the change counts as one. */
  readonly isNewGeneration?: (next: JsonObject, live: JsonObject) => boolean;
  /** Whether a create may bring a status along; else it starts empty. */
  readonly keepsStatusOnCreate?: boolean;
  readonly allowsUnconditionalUpdate?: boolean;
  readonly allowsCreateOnUpdate?: boolean;
  readonly returnsDeletedObject?: boolean;
  /** The grace period that a deletion gets, in seconds; undefined: the kind goes at once. */
  readonly graceSeconds?: (live: JsonObject, requested: number | undefined) => number;
  /** Marks the object for deletion in a way of its own. */
  readonly prepareForDelete?: (object: JsonObject, nowIso: string) => void;
  /** A new object's metadata is looked at when the rest of it is valid; else together with it. */
  readonly checksMetadataLast?: boolean;
  /** How names are checked; undefined: as DNS subdomains. */
  readonly nameRule?: NameRule;
}

export type NameRule = "subdomain" | "label" | "label1035" | "path";
