// A Canary is being deleted (spec §11). Retain: the older Deployment serves again, the newer one goes, and what stays is
// given back. Delete: garbage collection takes both.
import { type Canary, type CanaryStatus, parseCanary } from "@chaski/api";
import { parseTimestamp } from "@chaski/kube";
import { type Decision, decision, type Entry, LOCAL_CLUSTER } from "@chaski/runtime/decision";
import { releaseDeployment } from "../objects/deployment.ts";
import { type Draining, drainEntries, isDrained } from "./draining.ts";
import { RETAIN_FINALIZER, withoutFinalizer } from "./finalizer.ts";
import { sideOf } from "./side.ts";
import { type CanaryWorld, deploymentNamed, isControlledBy } from "./world.ts";

const RESTORE_WITHIN_MS = 10 * 60_000;

export function decideDeletion(world: CanaryWorld): Decision<CanaryStatus> {
  const { canary } = world;
  if (!(canary.metadata.finalizers ?? []).includes(RETAIN_FINALIZER)) return decision({});
  if (isDeletePolicy(canary)) return decision({ patches: [withoutFinalizer(canary)] });

  const deadlineMs = deletedAtMs(canary, world.nowMs) + RESTORE_WITHIN_MS;
  const isTimedOut = world.nowMs >= deadlineMs;
  const restoring = restorationOf(world);
  if (restoring && !isDrained(restoring) && !isTimedOut) {
    return decision({ desired: [{ cluster: LOCAL_CLUSTER, entries: drainEntries(canary, restoring) }], wakeAtMs: deadlineMs });
  }
  const releasing = releaseEntries(world);
  return decision({
    desired: [{ cluster: LOCAL_CLUSTER, entries: releasing }],
    patches: releasing.length === 0 ? [withoutFinalizer(canary)] : [],
    events:
      isTimedOut && restoring && !isDrained(restoring)
        ? [{ type: "Warning", reason: "DeletionTimedOut", message: "the older Deployment was not available within 10 minutes; both Deployments are left as they are" }]
        : [],
    ...(releasing.length > 0 && !isTimedOut ? { wakeAtMs: deadlineMs } : {}),
  });
}

function isDeletePolicy({ metadata, spec }: Canary): boolean {
  const parsed = parseCanary(metadata.name, spec);
  return parsed.isValid && parsed.request.deletionPolicy === "Delete";
}

function deletedAtMs({ metadata }: Canary, nowMs: number): number {
  const parsed = parseTimestamp(metadata.deletionTimestamp ?? "");
  return parsed.isOk ? parsed.value : nowMs;
}

/** In mid-release both Deployments are ours: the newer one has to give its pods back. */
function restorationOf(world: CanaryWorld): Draining | undefined {
  const parsed = parseCanary(world.canary.metadata.name, world.canary.spec);
  if (!parsed.isValid || parsed.request.oldName === undefined) return undefined;
  const { oldName, newName, replicas } = parsed.request;
  const restored = sideOf(ours(world, oldName));
  const drained = sideOf(ours(world, newName));
  if (oldName === newName || !restored.deployment) return undefined;
  return { restoredName: oldName, restored, drainedName: newName, drained, total: replicas ?? restored.replicas + drained.replicas };
}

function ours(world: CanaryWorld, name: string) {
  const deployment = deploymentNamed(world, name);
  return deployment && isControlledBy(deployment, world.canary) ? deployment : undefined;
}

function releaseEntries(world: CanaryWorld): Entry[] {
  return world.deployments
    .filter((deployment) => isControlledBy(deployment, world.canary))
    .map(({ metadata }) => releaseDeployment(world.canary, metadata.name));
}
