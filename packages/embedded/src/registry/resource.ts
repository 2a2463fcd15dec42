import type { Decoded } from "../codec/go-decode.ts";
import type { VersionLookup } from "../merge/index.ts";
import type { JsonObject } from "../schema/json.ts";
import type { SchemaNode } from "../schema/schema-node.ts";
import type { Strategy } from "./strategy.ts";

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface Subresource {
  readonly name: string;
  /** The kind of its body: Scale, or that of the resource itself. */
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
}

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
}

/** A resource in one version, as it is served. */
export interface Resource extends GroupVersionKind {
  readonly plural: string;
  readonly singular: string;
  readonly listKind: string;
  readonly isNamespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly storageVersionHash?: string;
  readonly subresources: ReadonlyMap<string, Subresource>;
  /** Where its objects are stored: shared by all versions. */
  readonly collection: string;
  readonly schema: SchemaNode;
  readonly strategy: Strategy;
  readonly isCustom: boolean;
  /** Of a custom resource: its schema as its author wrote it. */
  readonly openApi?: JsonObject;
  /** An object before anybody wrote anything: what a create is compared with, and whose status a new one gets. */
  readonly empty: JsonObject;
  /** Brings what a client sent into the server's form. */
  readonly decode: (value: JsonObject) => Decoded;
  /** From the version that is stored to this one, and back; undefined when this one is stored. */
  readonly fromStored?: (object: JsonObject) => JsonObject;
  readonly toStored?: (object: JsonObject) => JsonObject;
  /** The other versions, for managers who wrote in one of them; absent: there is no other. */
  readonly versions?: VersionLookup;
  /** Fields besides `metadata.name` and `metadata.namespace` that a field selector may name. */
  readonly selectableFields: ReadonlyMap<string, (object: JsonObject) => string>;
  readonly columns: readonly Column[];
  readonly cells: (object: JsonObject, nowMs: number) => unknown[];
  /** For `scale`: where the numbers stand. */
  readonly scalePaths?: ScalePaths;
}

/** Refusals name a kind by the group that stores it. */
export function kindInRefusals({ group, kind, isCustom, fromStored }: Resource): { group: string; kind: string } {
  return { group: fromStored && !isCustom ? "" : group, kind };
}

export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  /** A label selector as text or, for the built-in kinds, as an object. */
  readonly selector: readonly string[] | undefined;
}

export function apiVersionOf({ group, version }: { group: string; version: string }): string {
  return group === "" ? version : `${group}/${version}`;
}
