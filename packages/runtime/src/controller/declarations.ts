import { type KubeObject, resourceName } from "@chaski/kube";
import { OWNER_INDEX, ownerIndex } from "../apply/owner-index.ts";
import type { CacheOptions, IndexFunction } from "../cache/cache.ts";
import type { CacheDeclaration } from "../clusters/cache-declaration.ts";
import { isAt } from "../clusters/place.ts";
import { LOCAL_CLUSTER } from "../decision/index.ts";
import type { AnyController } from "./controller.ts";

/** Those of one cluster: what is read elsewhere widens nothing here. */
export function declareCaches(
  controllers: readonly AnyController[],
  cluster = LOCAL_CLUSTER,
  also: readonly CacheDeclaration[] = [],
): readonly CacheDeclaration[] {
  const declarations = [...controllers.flatMap(declarationsOf), ...also];
  const merged = new Map<string, CacheDeclaration>();
  for (const declaration of declarations.filter(({ on }) => isAt(on, cluster))) {
    const name = resourceName(declaration.kind);
    const known = merged.get(name);
    merged.set(name, known ? merge(known, declaration) : declaration);
  }
  return [...merged.values()];
}

function declarationsOf({ kind, cache, wakeOn, owns }: AnyController): readonly CacheDeclaration[] {
  const own: CacheDeclaration = { kind, on: "delivery", options: cache ?? {} };
  const indexed = wakeOn.flatMap(({ ownerIndex: index }) =>
    index ? [{ ...own, options: withIndices(own.options, { [index.name]: index.values }) }] : [],
  );
  return [
    own,
    ...indexed,
    ...wakeOn.map(({ kind, on, cache }) => ({ kind, on, options: cache ?? {} })),
    ...owns.map(({ kind, on, cache }) => ({
      kind,
      on,
      options: withIndices(cache ?? {}, { [OWNER_INDEX]: ownerIndex }),
    })),
  ];
}

function withIndices(
  options: CacheOptions<KubeObject>,
  indices: Readonly<Record<string, IndexFunction<KubeObject>>>,
): CacheOptions<KubeObject> {
  return { ...options, indices: { ...options.indices, ...indices } };
}

/** Wide enough for both: a restriction or a transform stays only if both want the same one. */
function merge(a: CacheDeclaration, b: CacheDeclaration): CacheDeclaration {
  const shared = (["labelSelector", "fieldSelector", "namespace", "isMetadataOnly", "transform"] as const)
    .filter((option) => a.options[option] !== undefined && a.options[option] === b.options[option])
    .map((option) => [option, a.options[option]] as const);
  const resyncMs = Math.min(a.options.resyncMs ?? Infinity, b.options.resyncMs ?? Infinity);
  const resync = Number.isFinite(resyncMs) ? { resyncMs } : {};
  return { ...a, options: { ...Object.fromEntries(shared), ...resync, indices: mergeIndices(a, b) } };
}

function mergeIndices(a: CacheDeclaration, b: CacheDeclaration): Readonly<Record<string, IndexFunction<KubeObject>>> {
  const indices = { ...a.options.indices };
  for (const [name, values] of Object.entries(b.options.indices ?? {})) {
    const known = indices[name];
    if (known && known !== values)
      throw new Error(`${resourceName(a.kind)} has two different indices named ${name}: give their functions names`);
    indices[name] = values;
  }
  return indices;
}
