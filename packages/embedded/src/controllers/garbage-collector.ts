// Objects go with their owners: in the background, in the foreground (dependents first) or not at all (orphans).
import { at, metadataOf, nameOf, objectsAt, stringAt, stringsAt } from "../schema/fields.ts";
import type { Resource } from "../registry/resource.ts";
import { cloneJson, type JsonObject } from "../schema/json.ts";
import type { Api } from "../request/api.ts";
import { internalRequest } from "../request/internal-request.ts";
import type { Stored, StoreEvent } from "../storage/stored.ts";
import { removeStored } from "../verbs/delete.ts";
import { change, merged } from "../verbs/update.ts";
import { viewOf } from "../verbs/views.ts";
import { Backlog } from "./backlog.ts";

const FOREGROUND = "foregroundDeletion";
const ORPHAN = "orphan";

interface Place {
  readonly collection: string;
  readonly key: string;
}

export class GarbageCollector {
  readonly #api: Api;
  readonly #backlog: Backlog;
  /** Where each living object is, by uid. */
  readonly #places = new Map<string, Place>();
  /** The uids of those that name a uid as their owner. */
  readonly #dependents = new Map<string, Set<string>>();

  constructor(api: Api) {
    this.#api = api;
    this.#backlog = new Backlog((uid) => this.#process(uid));
    api.store.listen((collection, event) => this.#onEvent(collection, event));
  }

  #onEvent(collection: string, { type, after, before }: StoreEvent): void {
    const uid = stringAt(after.object, "metadata", "uid");
    for (const owner of ownersOf(before?.object)) this.#dependents.get(owner)?.delete(uid);
    if (type === "DELETED") this.#forget(uid, after.object);
    else this.#learn(uid, { collection, key: after.key }, after.object);
  }

  #forget(uid: string, object: JsonObject): void {
    this.#places.delete(uid);
    for (const dependent of this.#dependents.get(uid) ?? []) this.#backlog.add(dependent);
    this.#dependents.delete(uid);
    this.#wakeForegroundOwners(object);
  }

  #learn(uid: string, place: Place, object: JsonObject): void {
    this.#places.set(uid, place);
    const owners = ownersOf(object);
    for (const owner of owners) this.#addDependent(owner, uid);
    if (owners.length > 0 || isBeingDeleted(object)) this.#backlog.add(uid);
  }

  #addDependent(owner: string, uid: string): void {
    const known = this.#dependents.get(owner) ?? new Set();
    this.#dependents.set(owner, known.add(uid));
  }

  #wakeForegroundOwners(object: JsonObject): void {
    for (const owner of ownersOf(object)) if (this.#places.has(owner)) this.#backlog.add(owner);
  }

  async #process(uid: string): Promise<void> {
    const found = this.#find(uid);
    if (!found) return;
    const { stored, resource } = found;
    if (isBeingDeleted(stored.object)) await this.#finishDeletion(uid, resource, stored);
    else await this.#removeIfOrphaned(resource, stored);
  }

  #find(uid: string): { stored: Stored; resource: Resource } | undefined {
    const place = this.#places.get(uid);
    const stored = place && this.#api.store.collection(place.collection).get(place.key);
    const resource =
      place && this.#api.registry.collections().find(({ collection }) => collection === place.collection);
    return stored && resource ? { stored, resource } : undefined;
  }

  async #finishDeletion(uid: string, resource: Resource, stored: Stored): Promise<void> {
    const finalizers = stringsAt(stored.object, "metadata", "finalizers");
    const dependents = [...(this.#dependents.get(uid) ?? [])];
    if (finalizers.includes(ORPHAN)) {
      for (const dependent of dependents) await this.#dropOwners(dependent, new Set([uid]));
      await this.#dropFinalizer(resource, stored, ORPHAN);
    } else if (finalizers.includes(FOREGROUND)) {
      const blocking = dependents.filter((dependent) => this.#removeDependent(dependent, uid));
      if (blocking.length === 0) await this.#dropFinalizer(resource, stored, FOREGROUND);
    }
  }

  /** Whether it still keeps its owner from going. */
  #removeDependent(uid: string, owner: string): boolean {
    const found = this.#find(uid);
    if (!found) return false;
    const isBlocking = objectsAt(found.stored.object, "metadata", "ownerReferences").some(
      (reference) => reference["uid"] === owner && reference["blockOwnerDeletion"] === true,
    );
    if (!isBeingDeleted(found.stored.object)) this.#remove(found.resource, found.stored, uid);
    return isBlocking && this.#places.has(uid);
  }

  #remove(resource: Resource, stored: Stored, uid: string): void {
    const hasDependents = (this.#dependents.get(uid)?.size ?? 0) > 0;
    const propagationPolicy = hasDependents && isWaitedFor(stored.object) ? "Foreground" : "Background";
    removeStored(this.#api, { resource }, { stored, options: { isDryRun: false, propagationPolicy } });
  }

  /** An object all of whose owners are gone goes; one with others left only forgets those that are gone. */
  async #removeIfOrphaned(resource: Resource, stored: Stored): Promise<void> {
    const owners = ownersOf(stored.object);
    const gone = owners.filter((owner) => !this.#places.has(owner));
    if (gone.length === 0) return;
    const uid = stringAt(stored.object, "metadata", "uid");
    if (gone.length === owners.length) this.#remove(resource, stored, uid);
    else await this.#dropOwners(uid, new Set(gone));
  }

  async #dropOwners(uid: string, gone: ReadonlySet<string>): Promise<void> {
    const found = this.#find(uid);
    if (!found) return;
    await this.#edit(found.resource, found.stored, (metadata) => {
      const left = objectsAt(metadata, "ownerReferences").filter((reference) => !gone.has(stringAt(reference, "uid")));
      if (left.length > 0) metadata["ownerReferences"] = left;
      else delete metadata["ownerReferences"];
    });
  }

  async #dropFinalizer(resource: Resource, stored: Stored, finalizer: string): Promise<void> {
    await this.#edit(resource, stored, (metadata) => {
      const left = stringsAt(metadata, "finalizers").filter((name) => name !== finalizer);
      if (left.length > 0) metadata["finalizers"] = left;
      else delete metadata["finalizers"];
    });
  }

  async #edit(resource: Resource, stored: Stored, edit: (metadata: JsonObject) => void): Promise<void> {
    const namespace = at(stored.object, "metadata", "namespace");
    const request = internalRequest({
      resource,
      name: nameOf(stored.object),
      ...(typeof namespace === "string" && { namespace }),
      manager: "kube-controller-manager",
    });
    const view = viewOf(resource, undefined);
    await change(this.#api, request, {
      view,
      next: (live) => {
        const sent = cloneJson(live);
        edit(metadataOf(sent));
        return merged(this.#api, request, { view, live, sent });
      },
    });
  }
}

function ownersOf(object: JsonObject | undefined): string[] {
  return objectsAt(object, "metadata", "ownerReferences").map((reference) => stringAt(reference, "uid"));
}

function isBeingDeleted(object: JsonObject): boolean {
  return at(object, "metadata", "deletionTimestamp") !== undefined;
}

function isWaitedFor(object: JsonObject): boolean {
  return objectsAt(object, "metadata", "ownerReferences").some((reference) => reference["blockOwnerDeletion"] === true);
}
