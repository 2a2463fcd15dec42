import { apiVersionOf, type Resource } from "./resource.ts";

/** Everything that is served, by group, version and plural. CustomResourceDefinitions come and go. */
export class Registry {
  readonly #resources = new Map<string, Resource>();
  /** How many resources each group has. */
  readonly #groups = new Map<string, number>();
  #revision = 0;

  /** Grows with every change: what is derived from the registry is made anew then. */
  get revision(): number {
    return this.#revision;
  }

  add(resource: Resource): void {
    const { group, version, plural } = resource;
    const key = keyOf(group, version, plural);
    if (!this.#resources.has(key)) this.#count(group, 1);
    this.#resources.set(key, resource);
    this.#revision++;
  }

  remove({ group, version, plural }: Resource): void {
    if (this.#resources.delete(keyOf(group, version, plural))) this.#count(group, -1);
    this.#revision++;
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#resources.get(keyOf(group, version, plural));
  }

  findKind(apiVersion: string, kind: string): Resource | undefined {
    return this.all().find((resource) => resource.kind === kind && apiVersionOf(resource) === apiVersion);
  }

  hasGroup(group: string): boolean {
    return (this.#groups.get(group) ?? 0) > 0;
  }

  all(): Resource[] {
    return [...this.#resources.values()];
  }

  #count(group: string, more: number): void {
    this.#groups.set(group, (this.#groups.get(group) ?? 0) + more);
  }

  /** One resource per stored collection: what a namespace or the garbage collector has to look through. */
  collections(): Resource[] {
    const byCollection = new Map<string, Resource>();
    for (const resource of this.#resources.values()) {
      if (!resource.fromStored && resource.verbs.includes("delete")) byCollection.set(resource.collection, resource);
    }
    return [...byCollection.values()];
  }
}

function keyOf(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}
