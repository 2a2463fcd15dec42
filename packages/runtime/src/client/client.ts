import type { Key, Kind, KubeList, KubeObject, TransportRequest } from "@chaski/kube";
import type { Identity } from "./credentials.ts";
import type { Handler } from "./eager.ts";

/** Every call has a deadline; a signal may end it earlier. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
}

export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
  /** Passes others that wait for the rate limit. */
  readonly isUrgent?: boolean;
}

export interface ApplyPatchOptions extends WriteOptions {
  readonly fieldManager: string;
  readonly force?: boolean;
  /** The answer has the object's metadata alone: whatever else its type promises is missing. */
  readonly isAnsweredBriefly?: boolean;
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly propagation?: "Foreground" | "Background" | "Orphan";
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** Passes others that wait for the rate limit. */
  readonly isUrgent?: boolean;
}

export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Of each object its metadata alone: whatever else its type promises is missing. */
  readonly isMetadataOnly?: boolean;
}

export interface ListOptions extends CallOptions, Selection {
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
}

export interface WatchOptions extends Selection {
  readonly signal: AbortSignal;
  readonly resourceVersion?: string;
  readonly timeoutSeconds?: number;
  /** Streams the present objects first, then a bookmark that carries `k8s.io/initial-events-end`. */
  readonly sendInitialEvents?: boolean;
  /** Objects come without `metadata.managedFields`, which are then not even parsed. */
  readonly hasNoManagedFields?: boolean;
}

export type WatchEvent<T extends KubeObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  | { readonly type: "BOOKMARK"; readonly object: KubeObject };

export type PatchBody = Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];
export type PatchType = "json" | "merge" | "strategic";
export type Subresource = "status" | "scale";

/** What a cluster's API server serves of one kind. Objects are the server's JSON, unknown fields included. */
export interface KindClient<T extends KubeObject> {
  get(key: Key, options?: CallOptions): Promise<T>;
  list(options?: ListOptions): Promise<KubeList<T>>;
  /** Every page, one after the other. */
  pages(options?: ListOptions): AsyncIterable<KubeList<T>>;
  /**
   * Hands over events in batches, in the turn in which they arrive (bookmarks always asked for); an empty one when the
   * server has accepted the watch, and whenever it sent less than an event. Resolves when the server ends it; an ERROR
   * event is thrown as the typed error it carries, an abort as the signal's reason, what the handler throws as it is.
   * Objects are not checked, those of a list neither.
   */
  watch(options: WatchOptions, hear: Handler<readonly WatchEvent<T>[]>): Promise<void>;
  create(object: T, options?: WriteOptions): Promise<T>;
  update(object: T, options?: WriteOptions): Promise<T>;
  updateStatus(object: T, options?: WriteOptions): Promise<T>;
  patch(
    key: Key,
    type: PatchType,
    patch: PatchBody,
    options?: WriteOptions & { subresource?: Subresource },
  ): Promise<T>;
  apply(object: Partial<T> & KubeObject, options: ApplyPatchOptions & { subresource?: Subresource }): Promise<T>;
  delete(key: Key, options?: DeleteOptions): Promise<void>;
  getScale(key: Key, options?: CallOptions): Promise<Scale>;
  updateScale(scale: Scale, options?: WriteOptions): Promise<Scale>;
}

export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

export interface Scale extends KubeObject {
  readonly spec: { readonly replicas?: number };
  readonly status?: { readonly replicas: number; readonly selector?: string };
}

/** One immutable connection to one cluster. */
export interface Client {
  /** Names the cluster in messages and metrics. */
  readonly cluster: string;
  of<T extends KubeObject>(kind: Kind<T>): KindClient<T>;
  /** Any path, for what is not an object: `/livez`, `/version`. The body as text; an error status throws. */
  raw(request: Pick<TransportRequest, "method" | "path"> & { body?: string }, options?: CallOptions): Promise<string>;
  /** Whether the cluster serves the kind at this moment. */
  serves(kind: Kind, options?: CallOptions): Promise<boolean>;
  /** All that the cluster serves at this moment. */
  discover(options?: CallOptions): Promise<readonly ServedResource[]>;
  /** The same connection, on behalf of somebody else. Closing either closes both. */
  as(identity: Identity): Client;
  close(): Promise<void>;
}
