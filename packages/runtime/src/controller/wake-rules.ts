import { apiVersionOf, type Key, type Kind, type KubeObject, keyOf } from "@chaski/kube";
import type { WakeContext, WakeRule } from "./controller.ts";

/** A rule of any kind, for a controller's `wakeOn`. */
export function wake<T extends KubeObject>(rule: WakeRule<T>): WakeRule {
  return rule as unknown as WakeRule;
}

/** Wakes the owner that an object's controller reference names. */
export function owned<T extends KubeObject>(kind: Kind<T>): WakeRule {
  return wake({ kind, on: "delivery", keys: ownersByReference });
}

/** Wakes the owners that name the object in a field of theirs: by its name in their own namespace, or by its key. */
export function named<T extends KubeObject, Owner extends KubeObject>(
  kind: Kind<T>,
  nameIn: (owner: Readonly<Owner>) => string | readonly string[] | undefined,
): WakeRule {
  const index = `names:${kind.plural}.${kind.group}:${nameIn.name}`;
  return wake({
    kind,
    on: "delivery",
    keys: (object, { caches, ownerKind }) =>
      caches
        .of(ownerKind)
        .byIndex(index, keyOf(object.metadata))
        .map(({ metadata }) => keyOf(metadata)),
    ownerIndex: {
      name: index,
      values: (owner) =>
        [nameIn(owner as Readonly<Owner>) ?? []].flat().map((name) => keyOf(keyOfNamed(kind, owner, name))),
    },
  });
}

function keyOfNamed(kind: Kind, owner: KubeObject, name: string): Key {
  const namespace = owner.metadata.namespace;
  return kind.isNamespaced && namespace !== undefined ? { namespace, name } : { name };
}

function ownersByReference({ metadata }: Readonly<KubeObject>, { ownerKind }: WakeContext): readonly string[] {
  const owner = metadata.ownerReferences?.find((reference) => reference.controller);
  if (owner?.kind !== ownerKind.kind || owner.apiVersion !== apiVersionOf(ownerKind)) return [];
  const { namespace } = metadata;
  return [ownerKind.isNamespaced && namespace !== undefined ? keyOf({ namespace, name: owner.name }) : owner.name];
}
