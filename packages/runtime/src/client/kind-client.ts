import { apiVersionOf, type Key, type Kind, type KubeList, type KubeObject } from "@chaski/kube";
import type {
  ApplyPatchOptions,
  CallOptions,
  DeleteOptions,
  KindClient,
  ListOptions,
  PatchBody,
  PatchType,
  Scale,
  Selection,
  Subresource,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "./client.ts";
import type { Handler } from "./eager.ts";
import { type ApiError, MalformedResponse } from "./errors.ts";
import { collectionPath, objectPath, type Query, requireNamespace, withQuery } from "./paths.ts";
import { type ApiCall, isStatus, type Requester } from "./requester.ts";
import { errorFromAnswer } from "./status-error.ts";
import { LineSplitter, parseEvent } from "./watch-events.ts";
import { withoutManagedFields } from "./without-managed-fields.ts";

const PATCH_CONTENT_TYPE: Readonly<Record<PatchType, string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
};
const APPLY_CONTENT_TYPE = "application/apply-patch+yaml";

/** A server that can't leave the rest out may send it. */
const METADATA_ONLY = metadataAs("PartialObjectMetadata");
const METADATA_LIST = metadataAs("PartialObjectMetadataList");

const PAGE_SIZE = 500;

type ObjectCall = Pick<ApiCall, "verb" | "method" | "body" | "contentType" | "accept" | "subresource" | "isUrgent"> & {
  readonly key: Key;
};
type SubresourceOption = { readonly subresource?: Subresource };

/** The calls of one kind, each in the shape that the API server wants it. */
export class KindRequests<T extends KubeObject> implements KindClient<T> {
  readonly #requester: Requester;
  readonly #kind: Kind;

  constructor(requester: Requester, kind: Kind<T>) {
    this.#requester = requester;
    this.#kind = kind;
  }

  get(key: Key, options?: CallOptions): Promise<T> {
    return this.#read(this.#one({ verb: "get", method: "GET", key }), options);
  }

  async list(options: ListOptions = {}): Promise<KubeList<T>> {
    const { limit, continue: token, resourceVersion, resourceVersionMatch } = options;
    const query = { ...selectors(options), limit, continue: token, resourceVersion, resourceVersionMatch };
    const call = this.#all("list", options, query);
    const list = await this.#requester.json<KubeList<T>>(call, options);
    if (!Array.isArray(list.items)) throw this.#malformed(call, "a list without items");
    // They come without apiVersion and kind. One that is malformed must not hide the others.
    for (const item of list.items) if (item?.metadata && item.kind === undefined) Object.assign(item, this.#types());
    return list;
  }

  async *pages(options: ListOptions = {}): AsyncGenerator<KubeList<T>, void, void> {
    let page = await this.list({ limit: PAGE_SIZE, ...options });
    yield page;
    // A continue token carries its resourceVersion; the server refuses a second one.
    const { resourceVersion: _version, resourceVersionMatch: _match, ...rest } = options;
    while (page.metadata.continue) {
      page = await this.list({ limit: PAGE_SIZE, ...rest, continue: page.metadata.continue });
      yield page;
    }
  }

  watch(options: WatchOptions, hear: Handler<readonly WatchEvent<T>[]>): Promise<void> {
    const call = this.#all("watch", options, watchQuery(options));
    const splitter = new LineSplitter();
    const read = options.hasNoManagedFields ? withoutManagedFields : (line: string) => line;
    return this.#requester.stream(call, options.signal, (chunk) =>
      hear(splitter.lines(chunk).map((line) => this.#event(call, read(line)))),
    );
  }

  create(object: T, options: WriteOptions = {}): Promise<T> {
    requireNamespace(this.#kind, object.metadata);
    const path = withQuery(collectionPath(this.#kind, object.metadata.namespace), writeQuery(options));
    const { namespace, name, generateName = "" } = object.metadata;
    const key = keyFrom({ ...(namespace !== undefined && { namespace }), name: name ?? generateName });
    const call: ApiCall = { verb: "create", method: "POST", kind: this.#kind, key, path, body: this.#typed(object) };
    return this.#read({ ...call, ...urgency(options) }, options);
  }

  update(object: T, options: WriteOptions = {}): Promise<T> {
    return this.#put(this.#typed(object), options);
  }

  updateStatus(object: T, options: WriteOptions = {}): Promise<T> {
    return this.#put(this.#typed(object), { ...options, subresource: "status" });
  }

  patch(key: Key, type: PatchType, patch: PatchBody, options: WriteOptions & SubresourceOption = {}): Promise<T> {
    const call = { verb: "patch", method: "PATCH", key, body: patch, contentType: PATCH_CONTENT_TYPE[type] } as const;
    return this.#read(this.#one({ ...call, ...urgency(options), ...sub(options) }, writeQuery(options)), options);
  }

  apply(object: Partial<T> & KubeObject, options: ApplyPatchOptions & SubresourceOption): Promise<T> {
    const call = { verb: "patch", method: "PATCH", key: object.metadata, contentType: APPLY_CONTENT_TYPE } as const;
    const body = this.#typed(object);
    const accept = options.isAnsweredBriefly ? { accept: METADATA_ONLY } : {};
    const query = { ...writeQuery(options), force: options.force };
    return this.#read(this.#one({ ...call, ...accept, body, ...urgency(options), ...sub(options) }, query), options);
  }

  async delete(key: Key, options: DeleteOptions = {}): Promise<void> {
    const body = {
      kind: "DeleteOptions",
      apiVersion: "v1",
      propagationPolicy: options.propagation,
      gracePeriodSeconds: options.gracePeriodSeconds,
      preconditions: options.preconditions,
      ...(options.dryRun && { dryRun: ["All"] }),
    };
    const call = this.#one({ verb: "delete", method: "DELETE", key, body, ...urgency(options) });
    await this.#requester.json(call, options);
  }

  getScale(key: Key, options?: CallOptions): Promise<Scale> {
    return this.#requester.json(this.#one({ verb: "get", method: "GET", key, subresource: "scale" }), options);
  }

  updateScale(scale: Scale, options: WriteOptions = {}): Promise<Scale> {
    const call = { verb: "update", method: "PUT", key: scale.metadata, body: scale, subresource: "scale" } as const;
    return this.#requester.json(this.#one({ ...call, ...urgency(options) }, writeQuery(options)), options);
  }

  #put(object: KubeObject, options: WriteOptions & SubresourceOption): Promise<T> {
    const call = { verb: "update", method: "PUT", key: object.metadata, body: object } as const;
    return this.#read(this.#one({ ...call, ...urgency(options), ...sub(options) }, writeQuery(options)), options);
  }

  async #read(call: ApiCall, options?: CallOptions): Promise<T> {
    const object = await this.#requester.json<T>(call, options);
    if (typeof object?.metadata?.name !== "string") throw this.#malformed(call, "an object without metadata.name");
    return object;
  }

  #one(call: ObjectCall, query: Query = {}): ApiCall {
    const path = withQuery(objectPath(this.#kind, call.key, call.subresource), query);
    return { ...call, key: keyFrom(call.key), kind: this.#kind, path };
  }

  #all(verb: "list" | "watch", { namespace, isMetadataOnly }: Selection, query: Query): ApiCall {
    const path = withQuery(collectionPath(this.#kind, namespace), query);
    return {
      verb,
      method: "GET",
      kind: this.#kind,
      path,
      ...(isMetadataOnly && { accept: verb === "list" ? METADATA_LIST : METADATA_ONLY }),
    };
  }

  #event(call: ApiCall, line: string): WatchEvent<T> {
    const event = parseEvent(line);
    if (event === undefined) throw this.#malformed(call, "a line of the watch that is no event");
    if (event.type === "ERROR") throw this.#watchError(call, event.object);
    return event as WatchEvent<T>;
  }

  #watchError(call: ApiCall, object: unknown): ApiError {
    if (!isStatus(object)) return this.#malformed(call, "an ERROR event without a Status");
    return errorFromAnswer(this.#requester.attempted(call), { status: object.code ?? 500, body: object });
  }

  #typed<O extends Partial<KubeObject>>(object: O): O & KubeObject {
    return { ...this.#types(), ...object } as O & KubeObject;
  }

  #types(): { apiVersion: string; kind: string } {
    return { apiVersion: apiVersionOf(this.#kind), kind: this.#kind.kind };
  }

  #malformed(call: ApiCall, what: string): MalformedResponse {
    return new MalformedResponse(this.#requester.attempted(call), { message: `the server sent ${what}` });
  }
}

/** Nothing but the key: an object's whole metadata would end up in errors and logs. */
function keyFrom({ namespace, name }: Key): Key {
  return namespace === undefined ? { name } : { namespace, name };
}

function selectors({ labelSelector, fieldSelector }: Selection): Query {
  return { labelSelector, fieldSelector };
}

function watchQuery(options: WatchOptions): Query {
  const { resourceVersion, timeoutSeconds, sendInitialEvents } = options;
  return {
    ...selectors(options),
    watch: true,
    allowWatchBookmarks: true,
    resourceVersion,
    timeoutSeconds,
    ...(sendInitialEvents && { sendInitialEvents, resourceVersionMatch: "NotOlderThan" }),
  };
}

function writeQuery({ dryRun, fieldManager, fieldValidation }: WriteOptions): Query {
  return { dryRun: dryRun ? "All" : undefined, fieldManager, fieldValidation };
}

function urgency({ isUrgent }: { readonly isUrgent?: boolean }): { isUrgent?: boolean } {
  return isUrgent === undefined ? {} : { isUrgent };
}

function sub({ subresource }: SubresourceOption): SubresourceOption {
  return subresource === undefined ? {} : { subresource };
}

function metadataAs(kind: string): string {
  return `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;
}
