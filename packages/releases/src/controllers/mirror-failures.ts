import { Mirror } from "@chaski/api";
import { describeRef, keyOf, parseKey } from "@chaski/kube";
import { isUnmet, type Runtime } from "@chaski/runtime";
import type { MirroredRevision } from "../engine/decide-mirror.ts";
import { MIRROR_CONTROLLER, mirroredRevisions } from "./mirrored-revisions.ts";

/** Calls back for every attempt to copy a Revision or one of its configs that failed. */
export function onMirrorFailure(
  runtime: Pick<Runtime, "fleet" | "onApplied">,
  tell: (app: string, mirror: string) => void,
): Disposable {
  return runtime.onApplied(({ controller, owner, result }) => {
    const failed = new Set(result.entries.filter(isUnmet).map(({ ref }) => describeRef(ref)));
    const caches = runtime.fleet.clusters[0]?.caches;
    if (controller !== MIRROR_CONTROLLER || failed.size === 0 || !caches) return;
    const mirror = caches.of(Mirror).get(owner);
    const revisions = mirror ? mirroredRevisions(caches, mirror) : [];
    revisions
      .filter((revision) => partsOf(revision).some((part) => failed.has(part)))
      .forEach(({ revision }) => tell(revision.spec.app.name, parseKey(owner).name));
  });
}

function partsOf({ revision, configs }: MirroredRevision): readonly string[] {
  return [`Revision ${keyOf(revision.metadata)}`, ...configs.map((config) => `${config.kind} ${keyOf(config)}`)];
}
