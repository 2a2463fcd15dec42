// Gives every pod a node that has room for it, and says of the others why none has.
import { keyOf, Node, Pod, parseKey } from "@chaski/kube";
import type { Access, Change } from "../access.ts";
import type { ControllerParts } from "../cluster-state.ts";
import { isBeingDeleted } from "../ownership.ts";
import { hasEnded } from "../pods/pod-facts.ts";
import { withPodCondition } from "../pods/pod-status.ts";
import type { Recorder } from "../recorder.ts";
import { WorkQueue } from "../work-queue.ts";
import { minus, NO_ROOM, plus, type Room, roomAskedBy, roomOf, shortagesOf } from "./room.ts";
import { isSelectedBy, untoleratedTaint } from "./node-affinity.ts";

const NAME = "default-scheduler";

export class Scheduler {
  readonly #access: Access;
  readonly #recorder: Recorder;
  readonly #queue: WorkQueue;
  readonly #used = new Map<string, Room>();
  readonly #unschedulable = new Set<string>();

  constructor({ access, recorder, state }: ControllerParts) {
    this.#access = access;
    this.#recorder = recorder;
    this.#queue = new WorkQueue(state.clock, (key) => this.#schedule(key));
    access.watch(Pod, (change) => this.#onPod(change));
    access.watch(Node, () => this.#tryAgain());
  }

  stop(): void {
    this.#queue.stop();
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
    const problems = new Map(nodes.map((node) => [node, this.#problemsOf(node, pod)]));
    const [best] = nodes.filter((node) => problems.get(node)?.length === 0).toSorted((a, b) => this.#compare(a, b));
    if (best) await this.#bind(pod, best.metadata.name);
    else await this.#giveUp(pod, [...problems.values()]);
  }

  #problemsOf(node: Node, pod: Pod): string[] {
    if (node.spec?.unschedulable) return ["node(s) were unschedulable"];
    const taint = untoleratedTaint(node, pod);
    if (taint) return [`node(s) had untolerated taint(s)`];
    if (!isSelectedBy(node, pod)) return ["node(s) didn't match Pod's node affinity/selector"];
    const free = minus(roomOf(node), this.#used.get(node.metadata.name) ?? NO_ROOM);
    return shortagesOf(free, roomAskedBy(pod));
  }

  /** The node with the fewest pods. */
  #compare(left: Node, right: Node): number {
    const pods = ({ metadata }: Node): bigint => this.#used.get(metadata.name)?.pods ?? 0n;
    return Number(pods(left) - pods(right)) || (left.metadata.name < right.metadata.name ? -1 : 1);
  }

  async #bind(pod: Pod, node: string): Promise<void> {
    this.#unschedulable.delete(keyOf(pod.metadata));
    this.#access.bind(pod, node);
    const { namespace, name } = pod.metadata;
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    await this.#recorder.record(Pod, pod, { type: "Normal", reason: "Scheduled", message });
  }

  async #giveUp(pod: Pod, problems: readonly (readonly string[])[]): Promise<void> {
    this.#unschedulable.add(keyOf(pod.metadata));
    const message = explain(problems);
    const { now } = this.#access;
    const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
    const known = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
    if (known?.message === message) return;
    await this.#access.edit(Pod, pod.metadata, (live) => withPodCondition(live, condition, now), "status");
    await this.#recorder.record(Pod, pod, { type: "Warning", reason: "FailedScheduling", message });
  }
}

/** `0/2 nodes are available: 2 Insufficient cpu. …` */
function explain(problems: readonly (readonly string[])[]): string {
  const nodes = `0/${problems.length} nodes are available`;
  if (problems.length === 0) return "no nodes available to schedule pods";
  const counts = new Map<string, number>();
  for (const problem of problems.flat()) counts.set(problem, (counts.get(problem) ?? 0) + 1);
  const listed = [...counts].map(([problem, count]) => `${count} ${problem}`).toSorted();
  const preemption = `preemption: ${nodes}: ${problems.length} No preemption victims found for incoming pod.`;
  return `${nodes}: ${listed.join(", ")}. no new claims to deallocate, ${preemption}`;
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
