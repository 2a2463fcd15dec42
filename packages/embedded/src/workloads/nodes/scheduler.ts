// Gives every pod a node that has room for it, and says of the others why none has.
import { findCondition, keyOf, Node, Pod, parseKey } from "@chaski/kube";
import type { Access, Change } from "../access.ts";
import type { ControllerParts } from "../cluster-state.ts";
import { isBeingDeleted } from "../ownership.ts";
import { hasEnded } from "../pods/pod-facts.ts";
import { withPodCondition } from "../pods/pod-status.ts";
import type { Recorder } from "../recorder.ts";
import type { WorkQueue } from "../workbench.ts";
import { explain, misfitOf } from "./fit.ts";
import { minus, NO_ROOM, plus, type Room, roomAskedBy } from "./room.ts";

const NAME = "default-scheduler";

export class Scheduler {
  readonly #access: Access;
  readonly #recorder: Recorder;
  readonly #queue: WorkQueue;
  readonly #used = new Map<string, Room>();
  readonly #unschedulable = new Set<string>();

  constructor({ access, recorder, workbench }: ControllerParts) {
    this.#access = access;
    this.#recorder = recorder;
    this.#queue = workbench.queue((key) => this.#schedule(key));
  }

  start(): void {
    this.#access.watch(Pod, (change) => this.#onPod(change));
    this.#access.watch(Node, () => this.#tryAgain());
  }

  #onPod({ before, after }: Change<Pod>): void {
    this.#account(roomTakenBy(before), roomTakenBy(after));
    if (after && isWaiting(after)) this.#queue.add(keyOf(after.metadata));
    if (!after && before) this.#unschedulable.delete(keyOf(before.metadata));
  }

  #account(before: Taken | undefined, after: Taken | undefined): void {
    if (before?.node === after?.node) return;
    if (before) this.#use(before.node, minus(NO_ROOM, before.room));
    if (after) this.#use(after.node, after.room);
    else this.#tryAgain();
  }

  #use(node: string, room: Room): void {
    this.#used.set(node, plus(this.#used.get(node) ?? NO_ROOM, room));
  }

  #tryAgain(): void {
    for (const key of this.#unschedulable) this.#queue.add(key);
  }

  async #schedule(key: string): Promise<void> {
    const pod = this.#access.get(Pod, parseKey(key));
    if (!pod || !isWaiting(pod)) return;
    const nodes = this.#access.list(Node);
    const misfits = nodes.map((node) => misfitOf(node, this.#usedOf(node), pod));
    const [best] = nodes.filter((_, index) => !misfits[index]).toSorted((a, b) => this.#compare(a, b));
    if (best) await this.#bind(pod, best.metadata.name);
    else await this.#giveUp(pod, explain(misfits.filter((misfit) => misfit !== undefined)));
  }

  #usedOf({ metadata }: Node): Room {
    return this.#used.get(metadata.name) ?? NO_ROOM;
  }

  /** The node with the fewest pods. */
  #compare(left: Node, right: Node): number {
    return (
      Number(this.#usedOf(left).pods - this.#usedOf(right).pods) || (left.metadata.name < right.metadata.name ? -1 : 1)
    );
  }

  async #bind(pod: Pod, node: string): Promise<void> {
    this.#unschedulable.delete(keyOf(pod.metadata));
    this.#access.bind(pod, node);
    const { namespace, name } = pod.metadata;
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    const occurrence = { type: "Normal", reason: "Scheduled", message, action: "Binding" } as const;
    await this.#recorder.record(Pod, pod, occurrence);
  }

  async #giveUp(pod: Pod, message: string): Promise<void> {
    this.#unschedulable.add(keyOf(pod.metadata));
    const known = findCondition(pod.status?.conditions, "PodScheduled");
    if (known?.message === message) return;
    const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
    const { now } = this.#access;
    await this.#access.edit(Pod, pod.metadata, (live) => withPodCondition(live, condition, now), "status");
    const occurrence = { type: "Warning", reason: "FailedScheduling", message, action: "Scheduling" } as const;
    await this.#recorder.record(Pod, pod, occurrence);
  }
}

function isWaiting(pod: Pod): boolean {
  const { nodeName = "", schedulerName = NAME, schedulingGates = [] } = pod.spec ?? {};
  return nodeName === "" && schedulerName === NAME && schedulingGates.length === 0 && !isBeingDeleted(pod);
}

interface Taken {
  readonly node: string;
  readonly room: Room;
}

function roomTakenBy(pod: Pod | undefined): Taken | undefined {
  const node = pod?.spec?.nodeName ?? "";
  return !pod || node === "" || hasEnded(pod) ? undefined : { node, room: roomAskedBy(pod) };
}
