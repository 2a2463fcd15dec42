import { type Random, seededRandom, VirtualClock } from "@chaski/clock";
import type { KindClient } from "../src/client/client.ts";
import { type CacheEvent, type CacheFact, type CacheOptions, createCaches } from "../src/index.ts";
import { Thing, ThingApi } from "./cache-api.ts";

export interface CacheOfThingsOptions extends CacheOptions<Thing> {
  readonly api?: ThingApi;
  readonly random?: Random;
  /** What the server has of definitions; it serves none unless given. */
  readonly definitions?: ThingApi;
}

/** A cache of Things over an API in memory, on a clock that the test moves. */
export async function cacheOfThings({
  api = new ThingApi(),
  random = seededRandom(1),
  definitions = notServed(),
  ...options
}: CacheOfThingsOptions = {}) {
  const clock = new VirtualClock(0);
  const facts: CacheFact[] = [];
  const events: CacheEvent<Thing>[] = [];
  const stop = new AbortController();
  const caches = createCaches({
    client: {
      cluster: "test",
      of: ({ kind }) => (kind === Thing.kind ? api : definitions) as unknown as KindClient<never>,
    },
    clock,
    random,
    report: (_, fact) => facts.push(fact),
    isFrozen: true,
  });
  caches.declare(Thing, options);
  const things = caches.of(Thing);
  things.subscribe((event) => events.push(event));
  caches.start(stop.signal);
  await clock.settle();
  return {
    api,
    clock,
    caches,
    things,
    events,
    /** The facts of one type, oldest first. */
    facts: <F extends CacheFact["type"]>(type: F) =>
      facts.filter((fact): fact is Extract<CacheFact, { type: F }> => fact.type === type),
    /** What the handlers were told, in short: `added a=1`, `updated a=2`, `deleted a`. */
    told: () => events.splice(0).map(inShort),
    /** What the cache holds, in short: `a=1`. */
    held: () => things.list().map(nameAndValue).toSorted(),
    stop: async () => {
      stop.abort();
      await caches.stopped();
    },
  };
}

function notServed(): ThingApi {
  return Object.assign(new ThingApi(), { isServed: false });
}

function inShort(event: CacheEvent<Thing>): string {
  if (event.type === "deleted")
    return `deleted ${event.object.metadata.name}${event.isFinalStateKnown ? "" : ", last state unknown"}`;
  const isAgain = event.type === "updated" && event.isResync;
  return `${event.type} ${nameAndValue(event.object)}${isAgain ? " again" : ""}`;
}

function nameAndValue({ metadata, spec }: Readonly<Thing>): string {
  return `${metadata.name}=${spec.value}`;
}
