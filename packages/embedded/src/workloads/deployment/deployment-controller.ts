// One ReplicaSet for each template that a Deployment has had, and the way from the old ones to the new one.
// Each look does one step as the real controller does; what it writes wakes it for the next.
import { Deployment, type DeploymentStatus, keyOf, Pod, parseKey, ReplicaSet } from "@chaski/kube";
import type { Access, Change } from "../access.ts";
import type { ClusterState, ControllerParts } from "../cluster-state.ts";
import { equalJson } from "../../schema/json.ts";
import { claim, controllerOf, isBeingDeleted, selects } from "../ownership.ts";
import { hasEnded } from "../pods/pod-facts.ts";
import type { Recorder } from "../recorder.ts";
import type { WorkQueue } from "../workbench.ts";
import { replicasOf } from "./bounds.ts";
import {
  countedStatus,
  deadlineMs,
  hasDeadline,
  isComplete,
  progress,
  progressOf,
  rolloutStatus,
  withCondition,
} from "./deployment-status.ts";
import { NewReplicaSets } from "./new-replica-sets.ts";
import { isScalingEvent, scaleAll } from "./proportional.ts";
import { revisionOf, sameAnnotations, scaleAnnotations } from "./revisions.ts";
import { type Resize, shrinkOlders, sizeOfNewer } from "./rolling.ts";
import { activeOf, oldestFirst, type Rollout, rolloutOf, sum } from "./rollout.ts";

export class DeploymentController {
  readonly #access: Access;
  readonly #state: ClusterState;
  readonly #recorder: Recorder;
  readonly #newReplicaSets: NewReplicaSets;
  readonly #queue: WorkQueue;

  constructor({ access, recorder, state, workbench }: ControllerParts) {
    this.#access = access;
    this.#recorder = recorder;
    this.#state = state;
    this.#newReplicaSets = new NewReplicaSets(access, recorder);
    this.#queue = workbench.queue((key) => this.#sync(key));
  }

  start(): void {
    this.#access.watch(Deployment, ({ after }) => after && this.#queue.add(keyOf(after.metadata)));
    this.#access.watch(ReplicaSet, (change) => this.#onReplicaSet(change));
    this.#access.watch(Pod, (change) => this.#onPod(change));
  }

  #onReplicaSet({ before, after }: Change<ReplicaSet>): void {
    for (const replicaSet of [before, after]) {
      const owner = replicaSet && controllerOf(replicaSet);
      if (owner?.kind === "Deployment") this.#queue.add(keyOf({ ...replicaSet?.metadata, name: owner.name }));
    }
    if (!after || controllerOf(after)) return;
    for (const deployment of this.#access.list(Deployment, after.metadata.namespace))
      if (selects(deployment.spec.selector, after)) this.#queue.add(keyOf(deployment.metadata));
  }

  /** A Recreate waits for the last pod of the old template to go. */
  #onPod({ before, after }: Change<Pod>): void {
    const owner = before && !after && controllerOf(before);
    if (!owner || !before) return;
    const replicaSet = this.#access.get(ReplicaSet, { ...before.metadata, name: owner.name });
    const deployment = replicaSet && controllerOf(replicaSet);
    if (deployment) this.#queue.add(keyOf({ ...before.metadata, name: deployment.name }));
  }

  async #sync(key: string): Promise<void> {
    const deployment = this.#access.get(Deployment, parseKey(key));
    if (!deployment) return;
    const { own, orphans } = this.#state.replicaSetsFor(deployment);
    const candidates = [...own, ...orphans];
    const owned = await claim(this.#access, { kind: ReplicaSet, owner: deployment, ownerKind: Deployment, candidates });
    const rollout = rolloutOf(deployment, owned);
    if (isBeingDeleted(deployment)) return this.#writeStatus(deployment, countedStatus(rollout, this.#access.now));
    if (await this.#notePause(deployment)) return;
    if (await this.#newReplicaSets.keepCurrent(rollout)) return;
    if (deployment.spec.paused || isScalingEvent(rollout)) return this.#scale(rollout);
    if (deployment.spec.strategy?.type === "Recreate") return this.#recreate(rollout);
    return this.#roll(rollout);
  }

  /** Pausing stops the clock of the deadline, and resuming starts it anew. */
  async #notePause(deployment: Deployment): Promise<boolean> {
    const before = progressOf(deployment);
    if (!hasDeadline(deployment) || before?.reason === "ProgressDeadlineExceeded") return false;
    const isNoted = before?.reason === "DeploymentPaused";
    if (isNoted === (deployment.spec.paused ?? false)) return false;
    const claim = isNoted
      ? progress("Unknown", "DeploymentResumed", "Deployment is resumed")
      : progress("Unknown", "DeploymentPaused", "Deployment is paused");
    await this.#writeStatus(deployment, withCondition(deployment.status ?? {}, claim, this.#access.now));
    return true;
  }

  async #scale(rollout: Rollout): Promise<void> {
    await this.#resize(rollout, scaleAll(rollout));
    if (rollout.deployment.spec.paused) this.#dropHistory(rollout);
    await this.#writeStatus(rollout.deployment, countedStatus(rollout, this.#access.now));
  }

  async #roll(rollout: Rollout): Promise<void> {
    const { newer } = rollout;
    if (!newer) return this.#newReplicaSets.create(rollout);
    const size = sizeOfNewer(rollout, replicasOf(newer));
    const resizes = size === replicasOf(newer) ? shrinkOlders(rollout) : [{ replicaSet: newer, replicas: size }];
    await this.#resize(rollout, resizes);
    if (resizes.length === 0) this.#dropHistoryWhenComplete(rollout);
    await this.#writeRolloutStatus(rollout);
  }

  async #recreate(rollout: Rollout): Promise<void> {
    const { newer, deployment } = rollout;
    const obsolete = activeOf(rollout.olders).map((replicaSet) => ({ replicaSet, replicas: 0 }));
    await this.#resize(rollout, obsolete);
    if (obsolete.length > 0 || this.#hasOldPods(rollout)) return this.#writeRolloutStatus(rollout);
    if (!newer) return this.#newReplicaSets.create(rollout);
    await this.#resize(rollout, [{ replicaSet: newer, replicas: replicasOf(deployment) }]);
    this.#dropHistoryWhenComplete(rollout);
    await this.#writeRolloutStatus(rollout);
  }

  #hasOldPods({ olders }: Rollout): boolean {
    const pods = olders.flatMap((replicaSet) => this.#state.podsFor(replicaSet).own);
    return sum(olders, ({ status }) => status?.replicas) > 0 || pods.some((pod) => !hasEnded(pod));
  }

  async #resize({ deployment }: Rollout, resizes: readonly Resize[]): Promise<void> {
    const annotations = scaleAnnotations(deployment);
    for (const { replicaSet, replicas } of resizes) {
      const before = replicasOf(replicaSet);
      const known = replicaSet.metadata.annotations ?? {};
      if (before === replicas && sameAnnotations(known, { ...known, ...annotations })) continue;
      const scaled = await this.#access.edit(ReplicaSet, replicaSet.metadata, (live) => ({
        ...live,
        metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, ...annotations } },
        spec: { ...live.spec, replicas },
      }));
      if (before === replicas) continue;
      const message = `Scaled ${before < replicas ? "up" : "down"} replica set ${scaled.metadata.name} from ${before} to ${replicas}`;
      await this.#recorder.record(Deployment, deployment, { type: "Normal", reason: "ScalingReplicaSet", message });
    }
  }

  #dropHistoryWhenComplete(rollout: Rollout): void {
    if (isComplete(rollout.deployment, rollout.deployment.status)) this.#dropHistory(rollout);
  }

  /** Keeps as many empty ReplicaSets of earlier templates as the Deployment wants. */
  #dropHistory({ deployment, olders }: Rollout): void {
    const alive = olders.filter((replicaSet) => !isBeingDeleted(replicaSet));
    const surplus = alive.length - (deployment.spec.revisionHistoryLimit ?? alive.length);
    const byRevision = oldestFirst(alive).toSorted((left, right) => revisionOf(left) - revisionOf(right));
    for (const replicaSet of byRevision.slice(0, Math.max(0, surplus)))
      if (isIdle(replicaSet)) this.#access.remove(ReplicaSet, replicaSet);
  }

  async #writeRolloutStatus(rollout: Rollout): Promise<void> {
    const { deployment } = rollout;
    const { now, nowMs } = this.#access;
    const status = rolloutStatus(rollout, { now, nowMs });
    if (!isSameStatus(deployment.status, status)) return this.#writeStatus(deployment, status);
    const isOver = isComplete(deployment, status) || progressOf(deployment)?.reason === "ProgressDeadlineExceeded";
    if (!hasDeadline(deployment) || !progressOf(deployment) || isOver) return;
    // A second more, because the deadline has to be over and not just reached.
    this.#queue.addAfter(keyOf(deployment.metadata), Math.max(0, deadlineMs(deployment) - nowMs) + 1_000);
  }

  async #writeStatus(deployment: Deployment, status: DeploymentStatus): Promise<void> {
    if (isSameStatus(deployment.status, status)) return;
    await this.#access.update(Deployment, { ...deployment, status }, "status");
  }
}

function isIdle({ metadata, spec, status }: ReplicaSet): boolean {
  const isObserved = (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0);
  return isObserved && (spec.replicas ?? 0) === 0 && (status?.replicas ?? 0) === 0;
}

/** Absent numbers are zero, and an absent list is empty. */
function isSameStatus(left: DeploymentStatus | undefined, right: DeploymentStatus): boolean {
  return equalJson(spelledOut(left ?? {}), spelledOut(right));
}

function spelledOut({ conditions = [], collisionCount, terminatingReplicas, ...counts }: DeploymentStatus): object {
  const spelled = Object.entries(counts).filter(([, count]) => count !== 0);
  return { ...Object.fromEntries(spelled), conditions, collisionCount, terminatingReplicas };
}
