import type { KubeObject } from "./object.ts";

/** A kind as one typed value: whatever is `of` it (client, cache, controller) hands out objects of type T. */
export interface Kind<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  /** Never set: carries T, so that a kind of Deployments is also a kind of objects. */
  readonly objectType?: T;
}

export type ObjectOf<K> = K extends Kind<infer T> ? T : never;

export function defineKind<T extends KubeObject>(definition: Omit<Kind, "objectType">): Kind<T> {
  return Object.freeze({ ...definition });
}

export function apiVersionOf({ group, version }: Pick<Kind, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Names the kind in messages and keys: `deployments.apps`, `pods`. */
export function resourceName({ group, plural }: Pick<Kind, "group" | "plural">): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** Where an object of the kind lives within one cluster. */
export interface Key {
  readonly namespace?: string;
  readonly name: string;
}

/** One object of one kind. */
export interface Ref<T extends KubeObject = KubeObject> extends Key {
  readonly kind: Kind<T>;
}

export function refTo<T extends KubeObject>(kind: Kind<T>, { metadata }: KubeObject): Ref<T> {
  return metadata.namespace === undefined
    ? { kind, name: metadata.name }
    : { kind, namespace: metadata.namespace, name: metadata.name };
}

/** `namespace/name`, or `name` of what has no namespace: the key of queues and stores. */
export function keyOf({ namespace, name }: Key): string {
  return namespace === undefined || namespace === "" ? name : `${namespace}/${name}`;
}

export function parseKey(key: string): Key {
  const slash = key.indexOf("/");
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The kind and key in words, for messages: `Deployment shop/web`. */
export function describeRef(ref: Ref): string {
  return `${ref.kind.kind} ${keyOf(ref)}`;
}
