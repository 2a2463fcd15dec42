import { type KubeObject, semanticallyEqual } from "@chaski/kube";
import type { Caches } from "../cache/cache.ts";
import type { ObjectPatch } from "../decision/index.ts";
import { isMap } from "./payload.ts";
import { nameOf } from "./ref-name.ts";
import type { Writer } from "./writer.ts";

interface Commit {
  readonly caches: Caches;
  readonly writer: Writer;
  readonly manager: string;
  /** What this commit has written so far. */
  readonly written: Map<string, KubeObject>;
}

/** Makes a decided patch on a person's object, if it changes anything, on the version that was decided on. */
export async function commitPatch({ ref, resourceVersion, patch }: ObjectPatch, commit: Commit): Promise<void> {
  const { caches, writer, manager, written } = commit;
  const moved = written.get(nameOf(ref));
  const known = moved ?? cachedAt(caches, { ref, resourceVersion });
  if (known && changesNothing(patch, known)) return;
  // Our own write in the same commit has moved the version on.
  const version = moved?.metadata.resourceVersion ?? resourceVersion;
  const metadata = { ...(isMap(patch["metadata"]) ? patch["metadata"] : {}), resourceVersion: version };
  written.set(nameOf(ref), await writer.patch(ref, "merge", { ...patch, metadata }, manager));
}

function cachedAt(
  caches: Caches,
  { ref, resourceVersion }: Pick<ObjectPatch, "ref" | "resourceVersion">,
): Readonly<KubeObject> | undefined {
  const cache = caches.of(ref.kind);
  const cached = ref.namespace === undefined ? cache.get(ref.name) : cache.inNamespace(ref.namespace).get(ref.name);
  return cached?.metadata.resourceVersion === resourceVersion ? cached : undefined;
}

function changesNothing(patch: unknown, value: unknown): boolean {
  if (!isMap(patch)) return semanticallyEqual(patch, value);
  const fields = isMap(value) ? value : {};
  return Object.entries(patch).every(([field, below]) =>
    below === null ? fields[field] === undefined : changesNothing(below, fields[field]),
  );
}
