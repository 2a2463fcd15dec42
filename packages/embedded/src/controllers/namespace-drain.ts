// A deleted namespace empties itself, and goes when nothing is left in it.
import { at, stringsAt } from "../schema/fields.ts";
import { isReadyToGo } from "../verbs/metadata.ts";
import { cloneJson, type JsonObject } from "../schema/json.ts";
import type { Api } from "../request/api.ts";
import type { StoreEvent } from "../storage/stored.ts";
import { removeStored } from "../verbs/delete.ts";
import { Backlog } from "./backlog.ts";

const NAMESPACES = "/namespaces";

export class NamespaceDrain {
  readonly #api: Api;
  readonly #backlog: Backlog;
  readonly #draining = new Set<string>();

  constructor(api: Api) {
    this.#api = api;
    this.#backlog = new Backlog((name) => this.#drain(name));
    api.store.listen((collection, event) => this.#onEvent(collection, event));
  }

  #onEvent(collection: string, { type, after }: StoreEvent): void {
    if (collection === NAMESPACES) this.#onNamespace(type, after.key, after.object);
    else if (type === "DELETED" && this.#draining.size > 0) {
      const namespace = at(after.object, "metadata", "namespace");
      if (typeof namespace === "string" && this.#draining.has(namespace)) this.#backlog.add(namespace);
    }
  }

  #onNamespace(type: StoreEvent["type"], name: string, namespace: JsonObject): void {
    if (type === "DELETED") this.#draining.delete(name);
    else if (at(namespace, "metadata", "deletionTimestamp") !== undefined && !this.#draining.has(name)) {
      this.#draining.add(name);
      this.#backlog.add(name);
    }
  }

  async #drain(name: string): Promise<void> {
    let left = 0;
    for (const resource of this.#api.registry.collections()) {
      if (!resource.isNamespaced) continue;
      const collection = this.#api.store.collection(resource.collection);
      for (const stored of collection.list(`${name}/`))
        removeStored(
          this.#api,
          { resource },
          { stored, options: { isDryRun: false, propagationPolicy: "Background" } },
        );
      left += [...collection.list(`${name}/`)].length;
    }
    if (left === 0) this.#finish(name);
  }

  #finish(name: string): void {
    const stored = this.#api.store.collection(NAMESPACES).get(name);
    if (!stored) return;
    const namespace = cloneJson(stored.object);
    const finalizers = stringsAt(namespace, "spec", "finalizers").filter((finalizer) => finalizer !== "kubernetes");
    namespace["spec"] = finalizers.length > 0 ? { finalizers } : {};
    if (finalizers.length === 0 && isReadyToGo(namespace)) this.#api.store.delete(NAMESPACES, name);
    else this.#api.store.put({ collection: NAMESPACES, key: name, object: namespace });
  }
}
