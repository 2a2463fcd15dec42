import type { Caches } from "../cache/cache.ts";
import type { Entry } from "../decision/index.ts";
import { nameOf } from "./ref-name.ts";
import { replicasOf } from "./scale-object.ts";

interface Sighting {
  readonly resourceVersion: string | undefined;
  readonly replicas: number | undefined;
}

/** What the decision saw of the objects whose writes are fenced by it. */
export type Sightings = ReadonlyMap<string, Sighting>;

/** To be taken before anything is awaited: the caches then still show what was decided on. */
export function takeSightings(caches: Caches, entries: readonly Entry[]): Sightings {
  const sightings = new Map<string, Sighting>();
  for (const entry of entries.filter(isFenced)) {
    const { ref } = entry;
    const cache = caches.of(ref.kind);
    const object = ref.namespace === undefined ? cache.get(ref.name) : cache.inNamespace(ref.namespace).get(ref.name);
    if (object)
      sightings.set(nameOf(ref), {
        resourceVersion: object.metadata.resourceVersion,
        replicas: replicasOf(object),
      });
  }
  return sightings;
}

function isFenced(entry: Entry): boolean {
  return entry.verb === "scale" || (entry.verb === "apply" && entry.isFenced === true);
}
