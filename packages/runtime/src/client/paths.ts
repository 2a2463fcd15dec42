import { apiVersionOf, type Key, type Kind } from "@chaski/kube";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The objects of a kind in one namespace; in all when none is given. */
export function collectionPath(kind: Kind, namespace: string | undefined): string {
  const root = `${groupVersionPath(kind)}/`;
  const scope =
    kind.isNamespaced && namespace !== undefined && namespace !== ""
      ? `namespaces/${encodeURIComponent(namespace)}/`
      : "";
  return `${root}${scope}${kind.plural}`;
}

export function objectPath(kind: Kind, key: Key, subresource?: string): string {
  requireNamespace(kind, key);
  if (key.name === "") throw new TypeError(`a ${kind.kind} without a name can't be addressed`);
  const path = `${collectionPath(kind, key.namespace)}/${encodeURIComponent(key.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

export function groupVersionPath(kind: Pick<Kind, "group" | "version">): string {
  return `/${kind.group === "" ? "api" : "apis"}/${apiVersionOf(kind)}`;
}

export function requireNamespace(kind: Kind, { namespace, name }: Key): void {
  if (kind.isNamespaced && (namespace === undefined || namespace === "")) {
    throw new TypeError(`${kind.kind} ${name} needs a namespace`);
  }
}

export function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}
