import type { Deployment } from "@chaski/kube";
import type { Entry, EventNote } from "@chaski/runtime/decision";
import { note } from "./batch-events.ts";
import { type CanaryWorld, deploymentNamed } from "./world.ts";

/** Always the same words, so that the server keeps one event and counts; what changes is told by the other events. */
const SYNCED = note("Synced", "the Deployments are brought to what was decided");

/** `Synced`, for a pass that changes a Deployment, and only then (spec §12). */
export function syncEvents(world: CanaryWorld, entries: readonly Entry[]): readonly EventNote[] {
  const ofDeployments = entries.filter(({ ref }) => ref.kind.kind === "Deployment");
  return ofDeployments.some((entry) => isChange(entry, deploymentNamed(world, entry.ref.name))) ? [SYNCED] : [];
}

function isChange(entry: Entry, live: Deployment | undefined): boolean {
  switch (entry.verb) {
    case "apply":
      return live === undefined;
    case "scale":
      return live !== undefined && (live.spec.replicas ?? 1) !== entry.replicas;
    case "remove":
      return true;
    case "keep":
      return false;
  }
}
