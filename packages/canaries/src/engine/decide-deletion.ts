// A Canary is being deleted (spec §11). Retain: the older Deployment serves again, the newer one goes, and what stays is
// given back. Delete: garbage collection takes both.
import { type Canary, type CanaryStatus, parseCanary } from "@chaski/api";
import { type Deployment, isTrue, timeMs } from "@chaski/kube";
import { type Decision, decision, type Entry, type EventNote, LOCAL_CLUSTER, remove } from "@chaski/runtime/decision";
import { deploymentRef, releaseDeployment } from "../objects/deployment.ts";
import { type Draining, drainEntries, isDrained } from "./draining.ts";
import { RETAIN_FINALIZER, retainPatches } from "./finalizer.ts";
import { isEmpty, sideOf } from "./side.ts";
import { type CanaryWorld, deploymentNamed, isControlledBy } from "./world.ts";

const RESTORE_WITHIN_MS = 10 * 60_000;

const TIMED_OUT: EventNote = {
  type: "Warning",
  reason: "DeletionTimedOut",
  message: "the older Deployment was not available within 10 minutes; both Deployments are left as they are",
};

export function decideDeletion(world: CanaryWorld): Decision<CanaryStatus> {
  const { canary, nowMs } = world;
  if (!(canary.metadata.finalizers ?? []).includes(RETAIN_FINALIZER)) return decision({});
  if (isDeletePolicy(canary)) return decision({ patches: retainPatches(canary, false) });

  const restoration = restorationOf(world);
  if (restoration === undefined || isDrained(restoration)) return giveBack(world, []);
  if (isOver(canary, restoration)) return removeOlder(canary, restoration);
  const deadlineMs = (timeMs(canary.metadata.deletionTimestamp) ?? nowMs) + RESTORE_WITHIN_MS;
  if (nowMs >= deadlineMs) return giveBack(world, [TIMED_OUT]);
  return decision({
    desired: [{ cluster: LOCAL_CLUSTER, entries: drainEntries(canary, restoration) }],
    wakeAtMs: deadlineMs,
  });
}

/** First the owner references go, and when none is left the finalizer: otherwise garbage collection would be faster. */
function giveBack(world: CanaryWorld, events: readonly EventNote[]): Decision<CanaryStatus> {
  const entries: Entry[] = world.deployments
    .filter((deployment) => isControlledBy(deployment, world.canary))
    .map(({ metadata }) => releaseDeployment(world.canary, metadata.name));
  if (entries.length > 0) return decision({ desired: [{ cluster: LOCAL_CLUSTER, entries }], events });
  return decision({ patches: retainPatches(world.canary, false) });
}

/** The release was complete; only the older Deployment, which has no pods any more, had not gone yet. */
function isOver({ status }: Canary, { restored, drained }: Draining): boolean {
  return isTrue(status?.conditions, "Ready") && isEmpty(restored) && drained.deployment !== undefined;
}

function removeOlder(canary: Canary, { restoredName }: Draining): Decision<CanaryStatus> {
  const entries = [remove(deploymentRef(canary, restoredName), "the newer Deployment serves alone")];
  return decision({ desired: [{ cluster: LOCAL_CLUSTER, entries }] });
}

function isDeletePolicy({ metadata, spec }: Canary): boolean {
  const parsed = parseCanary(metadata.name, spec);
  return parsed.isValid && parsed.request.deletionPolicy === "Delete";
}

/** In mid-release both Deployments are ours, and the newer one has to give its pods back. */
function restorationOf(world: CanaryWorld): Draining | undefined {
  const parsed = parseCanary(world.canary.metadata.name, world.canary.spec);
  if (!parsed.isValid || parsed.request.oldName === undefined) return undefined;
  const { oldName, newName, replicas } = parsed.request;
  const restored = sideOf(ours(world, oldName));
  const drained = sideOf(ours(world, newName));
  if (oldName === newName || !restored.deployment) return undefined;
  const total = replicas ?? restored.replicas + drained.replicas;
  return { restoredName: oldName, restored, drainedName: newName, drained, total };
}

function ours(world: CanaryWorld, name: string): Deployment | undefined {
  const deployment = deploymentNamed(world, name);
  return deployment && isControlledBy(deployment, world.canary) ? deployment : undefined;
}
