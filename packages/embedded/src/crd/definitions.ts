// Watches CustomResourceDefinitions, and serves what they define.
import { nameOf, objectAt, objectsAt, stringAt } from "../schema/fields.ts";
import { formatTime } from "../codec/times.ts";
import type { Resource } from "../registry/resource.ts";
import { cloneJson, equalJson, type JsonObject } from "../schema/json.ts";
import type { Api } from "../request/api.ts";
import { internalRequest } from "../request/internal-request.ts";
import type { StoreEvent } from "../storage/stored.ts";
import { change, merged } from "../verbs/update.ts";
import { viewOf } from "../verbs/views.ts";
import { customResourcesOf } from "./custom-resource.ts";
import { nameConflict } from "./names.ts";

const DEFINITIONS = "apiextensions.k8s.io/customresourcedefinitions";

/** From now on, for as long as the cluster lives. */
export function serveDefinitions(api: Api): void {
  new Definitions(api).start();
}

class Definitions {
  readonly #api: Api;
  readonly #served = new Map<string, { readonly spec: unknown; readonly resources: readonly Resource[] }>();

  constructor(api: Api) {
    this.#api = api;
  }

  start(): void {
    this.#api.store.collection(DEFINITIONS).listen((event) => this.#onEvent(event));
  }

  #onEvent({ type, after }: StoreEvent): void {
    const crd = after.object;
    if (type === "DELETED") this.#stopServing(nameOf(crd));
    else if (isTerminating(crd)) queueMicrotask(() => void this.#cleanUp(nameOf(crd)));
    else if (needsStatus(crd)) queueMicrotask(() => void this.#accept(nameOf(crd)));
    else if (isEstablished(crd)) this.#serve(crd);
  }

  #serve(crd: JsonObject): void {
    const name = nameOf(crd);
    if (this.#served.get(name)?.spec === crd["spec"]) return;
    this.#stopServing(name);
    const resources = customResourcesOf(crd);
    for (const resource of resources) this.#api.registry.add(resource);
    this.#served.set(name, { spec: crd["spec"], resources });
    const stored = resources.find(({ toStored }) => toStored === undefined);
    if (stored) this.#readAnew(stored);
  }

  /** What is stored is pruned and gets its defaults whenever it is read: by the schema of the day. */
  #readAnew({ collection, decode }: Resource): void {
    this.#api.store
      .collection(collection)
      .rewrite((object) => ({ ...object, ...withoutMetadata(decode(object).object) }));
  }

  #stopServing(name: string): void {
    for (const resource of this.#served.get(name)?.resources ?? []) this.#api.registry.remove(resource);
    this.#served.delete(name);
  }

  async #accept(name: string): Promise<void> {
    await this.#updateStatus(name, (crd) => this.#acceptedStatus(crd));
  }

  #acceptedStatus(crd: JsonObject): JsonObject {
    const others = [...this.#api.store.collection(DEFINITIONS).list()].map(({ object }) => object);
    const conflict = nameConflict(
      crd,
      others.filter((other) => nameOf(other) !== nameOf(crd)),
    );
    const status = objectAt(crd, "status") ?? {};
    const names = conflict ? status["acceptedNames"] : objectAt(crd, "spec", "names");
    const wasEstablished = isEstablished(crd);
    const verdicts = conflict
      ? [
          condition("NamesAccepted", "False", conflict.reason, conflict.message),
          condition("Established", wasEstablished ? "True" : "False", "NotAccepted", "not all names are accepted"),
        ]
      : [
          condition("NamesAccepted", "True", "NoConflicts", "no conflicts found"),
          condition("Established", "True", "InitialNamesAccepted", "the initial names have been accepted"),
        ];
    const known = objectsAt(status, "conditions");
    const lastTransitionTime = formatTime(this.#api.clock.now());
    const conditions = verdicts.map((verdict) => {
      const before = known.find(({ type, status: state }) => type === verdict["type"] && state === verdict["status"]);
      return { ...verdict, lastTransitionTime: before?.["lastTransitionTime"] ?? lastTransitionTime };
    });
    return { ...status, acceptedNames: names, conditions };
  }

  async #updateStatus(name: string, statusOf: (crd: JsonObject) => JsonObject): Promise<void> {
    const resource = this.#api.registry.find("apiextensions.k8s.io", "v1", "customresourcedefinitions");
    if (!resource || !this.#api.store.collection(DEFINITIONS).get(name)) return;
    const request = internalRequest({ resource, subresource: "status", name });
    const view = viewOf(resource, "status");
    await change(this.#api, request, {
      view,
      next: (live) => merged(this.#api, request, { view, live, sent: { ...cloneJson(live), status: statusOf(live) } }),
    });
  }

  /** Removes every object of a definition that goes, then lets it go. */
  async #cleanUp(name: string): Promise<void> {
    const stored = this.#api.store.collection(DEFINITIONS).get(name);
    if (!stored) return;
    const resource = this.#served.get(name)?.resources[0];
    const objects = resource ? [...this.#api.store.collection(resource.collection).list()] : [];
    for (const object of objects) this.#api.removeObject(resource, object);
    const isEmpty = !resource || this.#api.store.collection(resource.collection).size === 0;
    if (isEmpty) this.#api.store.delete(DEFINITIONS, name);
    else this.#finishWhenEmpty(name, resource);
  }

  #finishWhenEmpty(name: string, resource: Resource): void {
    const collection = this.#api.store.collection(resource.collection);
    const stop = collection.listen(() => {
      if (collection.size > 0) return;
      stop();
      this.#api.store.delete(DEFINITIONS, name);
    });
  }
}

function withoutMetadata({ metadata: _metadata, ...rest }: JsonObject): JsonObject {
  return rest;
}

function condition(type: string, status: string, reason: string, message: string): JsonObject {
  return { type, status, reason, message };
}

function isTerminating(crd: JsonObject): boolean {
  return objectAt(crd, "metadata")?.["deletionTimestamp"] !== undefined;
}

function isEstablished(crd: JsonObject): boolean {
  return objectsAt(crd, "status", "conditions").some(({ type, status }) => type === "Established" && status === "True");
}

/** A new definition, or one whose names changed. */
function needsStatus(crd: JsonObject): boolean {
  const hasVerdict = objectsAt(crd, "status", "conditions").some(({ type }) => type === "NamesAccepted");
  const [wanted, accepted] = [objectAt(crd, "spec", "names"), objectAt(crd, "status", "acceptedNames")];
  return (
    !hasVerdict ||
    (isEstablished(crd) && stringAt(wanted, "plural") === stringAt(accepted, "plural") && !equalJson(wanted, accepted))
  );
}
