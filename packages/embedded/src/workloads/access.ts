// How a controller reads and writes: the store's own objects, and the verbs that every client's writes go through.
import { type CrossVersionObjectReference, type Key, type Kind, type KubeObject, Pod, type Scale } from "@chaski/kube";
import { formatTime } from "../codec/times.ts";
import { apiVersionOf, type Resource } from "../registry/resource.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Api } from "../request/api.ts";
import { trackWrite } from "../verbs/field-management.ts";
import { internalRequest } from "../request/internal-request.ts";
import type { Reply } from "../request/reply.ts";
import type { ResourceRequest } from "../request/request.ts";
import type { StoreEvent } from "../storage/stored.ts";
import { bindPod } from "../verbs/bind.ts";
import { createObject } from "../verbs/create.ts";
import { removeStored } from "../verbs/delete.ts";
import { storageKey } from "../verbs/read.ts";
import { change, merged } from "../verbs/update.ts";
import { viewOf } from "../verbs/views.ts";

export type Subresource = "status" | "scale";

/** What happened to one object; `before` is absent when it is new, `after` when it is gone. */
export interface Change<T extends KubeObject> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

export class Access {
  readonly #api: Api;
  readonly #manager: string;

  /** `manager` is who its writes are by, in managedFields. */
  constructor(api: Api, manager: string) {
    this.#api = api;
    this.#manager = manager;
  }

  get nowMs(): number {
    return this.#api.clock.now();
  }

  /** To the second, as the metadata's times are. */
  get now(): string {
    return formatTime(this.nowMs);
  }

  get<T extends KubeObject>(kind: Kind<T>, { namespace, name }: Key): T | undefined {
    const { collection } = this.#resourceOf(kind);
    return this.#api.store.collection(collection).get(storageKey(namespace, name))?.object as T | undefined;
  }

  list<T extends KubeObject>(kind: Kind<T>, namespace?: string): T[] {
    const prefix = namespace === undefined ? "" : `${namespace}/`;
    const stored = this.#api.store.collection(this.#resourceOf(kind).collection).list(prefix);
    return Array.from(stored, ({ object }) => object as unknown as T);
  }

  /** Every change from now on, in order; returns how to stop. */
  watch<T extends KubeObject>(kind: Kind<T>, onChange: (change: Change<T>) => void): () => void {
    const collection = this.#api.store.collection(this.#resourceOf(kind).collection);
    return collection.listen((event) => onChange(changeOf<T>(event)));
  }

  async create<T extends KubeObject>(kind: Kind<T>, object: JsonObject): Promise<T> {
    const request = this.#request(kind, object["metadata"] as Key);
    const { resource } = request;
    const decoded = decode(resource, object);
    const tracking = { resource, subresource: "", manager: this.#manager, nowIso: this.now };
    return objectIn(await createObject(this.#api, request, trackWrite(tracking, undefined, decoded))) as T;
  }

  /** Replaces it; a conflict when it has changed since it was read. */
  async update<T extends KubeObject>(kind: Kind<T>, object: T, subresource?: Subresource): Promise<T> {
    return this.edit(kind, object.metadata, () => object, subresource);
  }

  /** Changes it whatever has become of it. */
  async edit<T extends KubeObject>(
    kind: Kind<T>,
    key: Key,
    edit: (live: T) => T,
    subresource?: Subresource,
  ): Promise<T> {
    const request = this.#request(kind, key, subresource);
    const view = viewOf(request.resource, subresource);
    const next = (live: JsonObject): JsonObject => {
      const sent = decode(request.resource, edit(live as unknown as T) as unknown as JsonObject);
      return merged(this.#api, request, { view, live, sent });
    };
    return objectIn(await change(this.#api, request, { view, next })) as T;
  }

  /** As a client would; `gracePeriodSeconds: 0` ends what is left of a pod. */
  remove<T extends KubeObject>(kind: Kind<T>, { metadata }: T, options: { gracePeriodSeconds?: number } = {}): void {
    const resource = this.#resourceOf(kind);
    const stored = this.#api.store.collection(resource.collection).get(storageKey(metadata.namespace, metadata.name));
    if (!stored || (stored.object["metadata"] as JsonObject)["uid"] !== metadata.uid) return;
    removeStored(this.#api, { resource }, { stored, options: { ...options, isDryRun: false } });
  }

  /** Puts the pod on the node, unless it has gone meanwhile. */
  bind({ metadata }: Pod, node: string): void {
    const pods = this.#api.store.collection(this.#resourceOf(Pod).collection);
    const stored = pods.get(storageKey(metadata.namespace, metadata.name));
    if (stored) bindPod(this.#api, stored, node);
  }

  /** The scale of what a reference names; undefined when there is no such object, or it has none. */
  scaleOf(reference: CrossVersionObjectReference, namespace: string | undefined): Scale | undefined {
    const resource = this.#scaledBy(reference);
    const stored =
      resource && this.#api.store.collection(resource.collection).get(storageKey(namespace, reference.name));
    return stored && (viewOf(resource, "scale").read(stored.object) as unknown as Scale);
  }

  async setScale(
    reference: CrossVersionObjectReference,
    namespace: string | undefined,
    replicas: number,
  ): Promise<void> {
    const resource = this.#scaledBy(reference);
    if (!resource) return;
    const request = this.#request(resource, { name: reference.name, ...(namespace && { namespace }) }, "scale");
    const view = viewOf(resource, "scale");
    const next = (live: JsonObject): JsonObject => {
      const { metadata, ...scale } = view.read(live);
      return merged(this.#api, request, { view, live, sent: { ...scale, metadata, spec: { replicas } } });
    };
    await change(this.#api, request, { view, next });
  }

  #scaledBy({ apiVersion = "", kind }: CrossVersionObjectReference): Resource | undefined {
    const resource = this.#api.registry.findKind(apiVersion, kind);
    return resource?.scalePaths ? resource : undefined;
  }

  #request(kind: Kind, { namespace, name }: Key, subresource?: Subresource): ResourceRequest {
    return internalRequest({
      resource: this.#resourceOf(kind),
      name,
      ...(namespace !== undefined && { namespace }),
      ...(subresource !== undefined && { subresource }),
      manager: this.#manager,
    });
  }

  #resourceOf({ group, version, plural }: Kind): Resource {
    const resource = this.#api.registry.find(group, version, plural);
    if (!resource) throw new Error(`${plural} of ${apiVersionOf({ group, version })} are not served`);
    return resource;
  }
}

function decode(resource: Resource, object: JsonObject): JsonObject {
  return { ...resource.decode(object).object, kind: resource.kind, apiVersion: apiVersionOf(resource) };
}

function objectIn(reply: Reply): unknown {
  if (reply.kind !== "object") throw new Error(`an object was expected, not ${reply.kind}`);
  return reply.stored.object;
}

function changeOf<T extends KubeObject>({ type, before, after }: StoreEvent): Change<T> {
  return {
    before: before?.object as T | undefined,
    after: type === "DELETED" ? undefined : (after.object as unknown as T),
  };
}
