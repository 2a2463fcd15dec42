import { type Deployment, keyOf } from "@chaski/kube";
import type { Entry, EventNote } from "@chaski/runtime/decision";
import { note } from "./batch-events.ts";
import { type CanaryWorld, deploymentNamed } from "./world.ts";

/** `Synced`, for a pass that changes a Deployment, and only then; its message says what it changes (spec §12). */
export function syncEvents(world: CanaryWorld, entries: readonly Entry[]): readonly EventNote[] {
  const changes = entries
    .filter(({ ref }) => ref.kind.kind === "Deployment")
    .map((entry) => changeOf(entry, deploymentNamed(world, entry.ref.name)))
    .filter((change) => change !== undefined);
  return changes.length === 0 ? [] : [note("Synced", `${keyOf(world.canary.metadata)}: ${changes.join(", ")}`)];
}

function changeOf(entry: Entry, live: Deployment | undefined): string | undefined {
  const { name } = entry.ref;
  switch (entry.verb) {
    case "apply":
      return live ? undefined : `${name} is created`;
    case "scale":
      return live && (live.spec.replicas ?? 1) !== entry.replicas
        ? `${name} goes to ${entry.replicas} pods`
        : undefined;
    case "remove":
      return `${name} is deleted`;
    case "keep":
      return undefined;
  }
}
