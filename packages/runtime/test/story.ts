import { type KubeObject, keyOf } from "@chaski/kube";
import { isAfter } from "../src/cache/resource-version.ts";
import type { CacheEvent } from "../src/index.ts";

/** What a handler comes to believe from what it is told, and everything in it that can't be true. */
export class Story {
  readonly believed = new Map<string, Readonly<KubeObject>>();
  readonly contradictions: string[] = [];
  readonly #newest = new Map<string, string>();
  /** Told to be gone for no more than that nobody saw them: they may come back as they were. */
  readonly #missed = new Set<string>();

  hear(event: CacheEvent<KubeObject>): void {
    const { metadata } = event.object;
    const key = keyOf(metadata);
    const known = this.believed.get(key);
    this.#refuse(event.type === "added" && known !== undefined, `${key} was added twice`);
    this.#refuse(event.type !== "added" && known === undefined, `${key} was ${event.type} before it was added`);
    this.#refuse(event.type === "updated" && known !== event.old, `${key} was not in the old state of its update`);
    this.#refuse(known !== undefined && known.metadata.uid !== metadata.uid, `${key} turned into another object`);
    if (event.type !== "deleted") return this.#believe(key, event.object);
    this.believed.delete(key);
    if (!event.isFinalStateKnown) this.#missed.add(key);
  }

  #believe(key: string, object: Readonly<KubeObject>): void {
    const version = object.metadata.resourceVersion ?? "";
    const newest = this.#newest.get(key);
    const isTheSame = this.#missed.delete(key) && version === newest;
    const isLater = newest === undefined || isTheSame || isAfter(version, newest);
    this.#refuse(!isLater, `${key} went from ${newest} to ${version}`);
    this.#newest.set(key, version);
    this.believed.set(key, object);
  }

  #refuse(isContradiction: boolean, what: string): void {
    if (isContradiction) this.contradictions.push(what);
  }
}

/** Objects as `key@version`, to compare two places that should hold the same. */
export function states(objects: Iterable<Readonly<KubeObject>>): readonly string[] {
  return [...objects].map(({ metadata }) => `${keyOf(metadata)}@${metadata.resourceVersion}`).toSorted();
}
