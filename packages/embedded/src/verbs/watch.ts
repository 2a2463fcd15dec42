import { ApiError, gone } from "../errors/api-error.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Matcher } from "../selectors/labels.ts";
import type { Api } from "../request/api.ts";
import type { EventEncoder, Reply } from "../request/reply.ts";
import { isTrue, type ResourceRequest } from "../request/request.ts";
import { type Collection, CompactedError } from "../storage/collection.ts";
import { Stored, type StoreEvent } from "../storage/stored.ts";
import { ByteQueue } from "./byte-queue.ts";
import { invalidListOptions, matcherOf, parseResourceVersion, unreadableVersion } from "./list.ts";
import { countIn } from "../request/options.ts";

const QUEUE_LIMIT = 100_000;
const BOOKMARK_MS = 60_000;
const SHORTEST_WATCH_SECONDS = 1_800;

export function watch(api: Api, request: ResourceRequest): Reply {
  const version = request.query.get("resourceVersion") ?? "";
  if (Number.isNaN(parseResourceVersion(version)))
    throw new ApiError({ code: 500, message: unreadableVersion(version) });
  const start = startOf(api, request);
  const filter: Filter = { prefix: prefixOf(request), matches: matcherOf(request) };
  return {
    kind: "watch",
    resource: request.resource,
    open: (encode) => new Watch({ api, request, start, filter, encode }).open(),
  };
}

interface Filter {
  readonly prefix: string;
  readonly matches: Matcher | undefined;
}

interface Start {
  /** Undefined: from what is current. */
  readonly after: number | undefined;
  readonly sendsInitial: boolean;
  readonly endsInitialWithBookmark: boolean;
}

function startOf(api: Api, { query }: ResourceRequest): Start {
  const sendInitial = query.get("sendInitialEvents");
  const match = query.get("resourceVersionMatch") ?? "";
  const after = parseResourceVersion(query.get("resourceVersion") ?? "");
  if (sendInitial === null) {
    if (match !== "")
      throw invalidListOptions(
        "resourceVersionMatch",
        "Forbidden",
        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
      );
    return { after, sendsInitial: after === undefined, endsInitialWithBookmark: false };
  }
  if (match !== "NotOlderThan") throw needsNotOlderThan(match);
  const isWanted = isTrue(sendInitial);
  return {
    after: isWanted ? undefined : (after ?? api.store.resourceVersion),
    sendsInitial: isWanted,
    endsInitialWithBookmark: isWanted,
  };
}

function needsNotOlderThan(match: string): ApiError {
  const field = "resourceVersionMatch";
  const missing = invalidListOptions(
    field,
    "Forbidden",
    "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
  );
  if (match === "") return missing;
  const wrong = invalidListOptions(field, "NotSupported", `${JSON.stringify(match)}: supported values: "NotOlderThan"`);
  const causes = [...(missing.status.details?.causes ?? []), ...(wrong.status.details?.causes ?? [])];
  return new ApiError({ ...missing.status, details: { ...missing.status.details, causes } });
}

function prefixOf({ namespace, name }: ResourceRequest): string {
  const prefix = namespace === undefined ? "" : `${namespace}/`;
  return name === undefined ? prefix : `${prefix}${name}`;
}

interface WatchOptions {
  readonly api: Api;
  readonly request: ResourceRequest;
  readonly start: Start;
  readonly filter: Filter;
  readonly encode: EventEncoder;
}

/** One client's stream of events, from its start until it ends. */
class Watch {
  readonly #options: WatchOptions;
  readonly #collection: Collection;
  readonly #queue: ByteQueue;
  #endings: (() => void)[] = [];

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#collection = options.api.store.collection(options.request.resource.collection);
    this.#queue = new ByteQueue(QUEUE_LIMIT, () => {
      for (const end of this.#endings) end();
    });
  }

  open(): AsyncIterable<Uint8Array> {
    try {
      this.#sendPast();
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
      const expired = gone(`too old resource version: ${error.requested} (${error.oldest})`);
      this.#queue.push(this.#options.encode.error(expired.body()));
      this.#queue.close();
      return this.#queue;
    }
    this.#endings.push(this.#collection.listen((event) => this.#send(event)));
    this.#startTimers();
    this.#endWhenAborted();
    return this.#queue;
  }

  #sendPast(): void {
    const { start, filter, encode, api } = this.#options;
    if (start.after !== undefined) {
      for (const event of this.#collection.eventsAfter(start.after)) this.#send(event);
      return;
    }
    if (!start.sendsInitial) return;
    for (const stored of this.#collection.list(filter.prefix)) {
      if (this.#matches(stored)) this.#queue.push(encode.event("ADDED", stored));
    }
    if (start.endsInitialWithBookmark)
      this.#bookmark(api.store.resourceVersion, { "k8s.io/initial-events-end": "true" });
  }

  #send(event: StoreEvent): void {
    const { after, before } = event;
    if (!after.key.startsWith(this.#options.filter.prefix)) return;
    const isIn = event.type !== "DELETED" && this.#matches(after);
    const wasIn = before !== undefined && this.#matches(before);
    if (isIn) this.#queue.push(this.#options.encode.event(wasIn ? "MODIFIED" : "ADDED", after));
    else if (wasIn)
      this.#queue.push(
        this.#options.encode.event("DELETED", event.type === "DELETED" ? after : lastSeen(before, event)),
      );
  }

  #matches(stored: Stored): boolean {
    const { matches } = this.#options.filter;
    return matches === undefined || matches(stored.object);
  }

  #bookmark(resourceVersion: number, annotations?: JsonObject): void {
    const { resource } = this.#options.request;
    const metadata = { resourceVersion: `${resourceVersion}`, ...(annotations && { annotations }) };
    const object = { ...resource.empty, metadata };
    this.#queue.push(this.#options.encode.event("BOOKMARK", new Stored("", resourceVersion, object)));
  }

  #endWhenAborted(): void {
    const { request, api } = this.#options;
    for (const signal of [request.signal, api.closing]) if (signal) this.#endWith(signal);
  }

  #endWith(signal: AbortSignal): void {
    const close = (): void => this.#queue.close();
    if (signal.aborted) close();
    signal.addEventListener("abort", close, { once: true });
    this.#endings.push(() => signal.removeEventListener("abort", close));
  }

  #startTimers(): void {
    const { api, request } = this.#options;
    const seconds = countIn(request.query, "timeoutSeconds");
    const timeoutMs = 1_000 * (seconds ?? SHORTEST_WATCH_SECONDS * (1 + api.random()));
    const timeout = api.clock.after(timeoutMs, () => this.#queue.close());
    this.#endings.push(() => timeout.cancel());
    if (isTrue(request.query.get("allowWatchBookmarks"))) this.#bookmarkLater();
  }

  #bookmarkLater(): void {
    const { api } = this.#options;
    const timer = api.clock.after(BOOKMARK_MS, () => {
      this.#endings = this.#endings.filter((end) => end !== cancel);
      this.#bookmark(api.store.resourceVersion);
      this.#bookmarkLater();
    });
    const cancel = (): void => timer.cancel();
    this.#endings.push(cancel);
  }
}

/** An object that no longer matches is deleted for this watcher: as it was, with the resourceVersion of the change. */
function lastSeen(before: Stored, event: StoreEvent): Stored {
  const metadata = { ...(before.object["metadata"] as JsonObject), resourceVersion: `${event.resourceVersion}` };
  return new Stored(before.key, event.resourceVersion, { ...before.object, metadata });
}
