// Whether a pod may go to a node and, if none will do, why: in the scheduler's own words.
import type { Node, Pod } from "@chaski/kube";
import { isSelectedBy, untoleratedTaint } from "./node-affinity.ts";
import { minus, type Room, roomAskedBy, roomOf, shortagesOf } from "./room.ts";

export interface Misfit {
  readonly problems: readonly string[];
  /** Whether it would help if other pods went. */
  readonly isHopeless: boolean;
}

/** Undefined: the pod fits. */
export function misfitOf(node: Node, used: Room, pod: Pod): Misfit | undefined {
  const objection = objectionTo(node, pod);
  if (objection !== undefined) return { problems: [objection], isHopeless: true };
  const asked = roomAskedBy(pod);
  const problems = shortagesOf(minus(roomOf(node), used), asked);
  if (problems.length === 0) return undefined;
  return { problems, isHopeless: shortagesOf(roomOf(node), asked).length > 0 };
}

function objectionTo(node: Node, pod: Pod): string | undefined {
  if (node.spec?.unschedulable) return "node(s) were unschedulable";
  if (untoleratedTaint(node, pod)) return "node(s) had untolerated taint(s)";
  return isSelectedBy(node, pod) ? undefined : "node(s) didn't match Pod's node affinity/selector";
}

/** `0/2 nodes are available: 2 Insufficient cpu. …` */
export function explain(misfits: readonly Misfit[]): string {
  if (misfits.length === 0) return "no nodes available to schedule pods";
  const none = `0/${misfits.length} nodes are available`;
  const filtered = counted(misfits.flatMap(({ problems }) => problems));
  const preempted = counted(misfits.map(({ isHopeless }) => (isHopeless ? HOPELESS : NO_VICTIMS)));
  return `${none}: ${filtered}. no new claims to deallocate, preemption: ${none}: ${preempted}.`;
}

const HOPELESS = "Preemption is not helpful for scheduling";
const NO_VICTIMS = "No preemption victims found for incoming pod";

function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const texts = [...counts].map(([reason, count]) => `${count} ${reason}`);
  return texts.toSorted().join(", ");
}
