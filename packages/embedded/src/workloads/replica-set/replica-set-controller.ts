// As many pods as the ReplicaSet asks for: made from its template, adopted, or given up.
import { keyOf, Pod, parseKey, ReplicaSet } from "@chaski/kube";
import type { Access, Change } from "../access.ts";
import type { ClusterState, ControllerParts } from "../cluster-state.ts";
import { claim, controllerOf, isBeingDeleted, referenceTo, selects } from "../ownership.ts";
import { availableFromMs, isActive } from "../pods/pod-facts.ts";
import type { Recorder } from "../recorder.ts";
import type { WorkQueue } from "../workbench.ts";
import { inDeletionOrder } from "./deletion-order.ts";
import { isSameStatus, statusOf } from "./replica-set-status.ts";

/** How many pods are made or given up before the status is written again. */
const BURST = 500;

export class ReplicaSetController {
  readonly #access: Access;
  readonly #state: ClusterState;
  readonly #recorder: Recorder;
  readonly #queue: WorkQueue;

  constructor({ access, recorder, state, workbench }: ControllerParts) {
    this.#access = access;
    this.#recorder = recorder;
    this.#state = state;
    this.#queue = workbench.queue((key) => this.#sync(key));
  }

  start(): void {
    this.#access.watch(ReplicaSet, ({ before, after }) => this.#queue.add(keyOf((after ?? before ?? NOBODY).metadata)));
    this.#access.watch(Pod, (change) => this.#onPod(change));
  }

  #onPod({ before, after }: Change<Pod>): void {
    for (const pod of [before, after]) {
      const owner = pod && controllerOf(pod);
      if (owner?.kind === "ReplicaSet") this.#queue.add(keyOf({ ...pod?.metadata, name: owner.name }));
    }
    if (after && !controllerOf(after)) this.#wakeAdopters(after);
  }

  #wakeAdopters(orphan: Pod): void {
    for (const replicaSet of this.#access.list(ReplicaSet, orphan.metadata.namespace))
      if (selects(replicaSet.spec.selector, orphan)) this.#queue.add(keyOf(replicaSet.metadata));
  }

  async #sync(key: string): Promise<void> {
    const replicaSet = this.#access.get(ReplicaSet, parseKey(key));
    if (!replicaSet) return;
    const { own, orphans } = this.#state.podsFor(replicaSet);
    const active = await claim(this.#access, {
      kind: Pod,
      owner: replicaSet,
      ownerKind: ReplicaSet,
      candidates: [...own, ...orphans].filter(isActive),
    });
    const terminating = own.filter((pod) => isBeingDeleted(pod) && selects(replicaSet.spec.selector, pod));
    const failure = isBeingDeleted(replicaSet) ? undefined : await this.#manage(replicaSet, active).catch(asError);
    const { nowMs, now } = this.#access;
    const status = statusOf({ replicaSet, active, terminating, failure, nowMs, now });
    if (!isSameStatus(replicaSet.status, status))
      await this.#access.edit(ReplicaSet, replicaSet.metadata, (live) => ({ ...live, status }), "status");
    if (failure) throw failure;
    this.#lookAgainWhenAvailable(key, replicaSet, active);
  }

  async #manage(replicaSet: ReplicaSet, active: readonly Pod[]): Promise<undefined> {
    const missing = (replicaSet.spec.replicas ?? 0) - active.length;
    for (let made = 0; made < Math.min(missing, BURST); made++) await this.#createPod(replicaSet);
    if (missing >= 0) return;
    const related = this.#state.podsOfSiblings(replicaSet);
    const superfluous = inDeletionOrder(active, related, this.#access.nowMs).slice(0, Math.min(-missing, BURST));
    for (const pod of superfluous) await this.#deletePod(replicaSet, pod);
  }

  async #createPod(replicaSet: ReplicaSet): Promise<void> {
    const { metadata, spec } = replicaSet.spec.template ?? {};
    const { namespace, name } = replicaSet.metadata;
    const ownerReferences = [referenceTo(ReplicaSet, replicaSet)];
    const { labels, annotations, finalizers } = metadata ?? {};
    try {
      const pod = await this.#access.create(Pod, {
        metadata: { namespace, generateName: `${name}-`, labels, annotations, finalizers, ownerReferences },
        spec,
      });
      await this.#tell(replicaSet, "Normal", "SuccessfulCreate", `Created pod: ${pod.metadata.name}`);
    } catch (error) {
      await this.#tell(replicaSet, "Warning", "FailedCreate", `Error creating: ${(error as Error).message}`);
      throw error;
    }
  }

  async #deletePod(replicaSet: ReplicaSet, pod: Pod): Promise<void> {
    this.#access.remove(Pod, pod);
    await this.#tell(replicaSet, "Normal", "SuccessfulDelete", `Deleted pod: ${pod.metadata.name}`);
  }

  async #tell(replicaSet: ReplicaSet, type: "Normal" | "Warning", reason: string, message: string): Promise<void> {
    await this.#recorder.record(ReplicaSet, replicaSet, { type, reason, message });
  }

  #lookAgainWhenAvailable(key: string, { spec }: ReplicaSet, active: readonly Pod[]): void {
    const { nowMs } = this.#access;
    const dueMs = active
      .map((pod) => availableFromMs(pod, spec.minReadySeconds ?? 0) ?? nowMs)
      .filter((fromMs) => fromMs > nowMs);
    if (dueMs.length > 0) this.#queue.addAfter(key, Math.min(...dueMs) - nowMs);
  }
}

const NOBODY = { metadata: { name: "" } };

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
