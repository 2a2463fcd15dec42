import { keyOf, type Ref, resourceName } from "@chaski/kube";

/** Names an object within its cluster: `replicasets.apps:shop/web`. */
export function nameOf({ kind, ...key }: Ref): string {
  return `${resourceName(kind)}:${keyOf(key)}`;
}

export function isNamespace({ kind }: Ref): boolean {
  return kind.kind === "Namespace" && kind.group === "";
}
