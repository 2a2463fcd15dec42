import { keyOf, type Kind, type KubeObject } from "@chaski/kube";
import type { Access } from "./access.ts";

/** The objects of a kind by something that they have in common, kept current. */
export class IndexBy<T extends KubeObject> {
  readonly #groups = new Map<string, Map<string, T>>();
  readonly #groupOf: (object: T) => string | undefined;

  constructor(access: Access, kind: Kind<T>, groupOf: (object: T) => string | undefined) {
    this.#groupOf = groupOf;
    for (const object of access.list(kind)) this.#add(object);
    access.watch(kind, ({ before, after }) => {
      if (before) this.#remove(before);
      if (after) this.#add(after);
    });
  }

  get(group: string): T[] {
    return [...(this.#groups.get(group)?.values() ?? [])];
  }

  #add(object: T): void {
    const group = this.#groupOf(object);
    if (group === undefined) return;
    const members = this.#groups.get(group) ?? new Map<string, T>();
    this.#groups.set(group, members.set(keyOf(object.metadata), object));
  }

  #remove(object: T): void {
    const group = this.#groupOf(object) ?? "";
    const members = this.#groups.get(group);
    members?.delete(keyOf(object.metadata));
    if (members?.size === 0) this.#groups.delete(group);
  }
}
