// Which pods a ReplicaSet gives up first: those that serve least.
import type { Pod } from "@chaski/kube";
import { isActive, isReady, readySinceMs, timeOf } from "../pods/pod-facts.ts";

const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
const PHASES = ["Pending", "Unknown", "Running"];

/** Below zero when the left one goes first. */
type Comparison = (left: Pod, right: Pod) => number;

/** The pods in the order in which they go. `related` are those of all ReplicaSets of the same owner. */
export function inDeletionOrder(pods: readonly Pod[], related: readonly Pod[], nowMs: number): Pod[] {
  const perNode = new Map<string, number>();
  for (const pod of related.filter(isActive)) perNode.set(nodeOf(pod), (perNode.get(nodeOf(pod)) ?? 0) + 1);
  const comparisons: readonly Comparison[] = [
    byNumber((pod) => Number(nodeOf(pod) !== "")),
    byNumber((pod) => PHASES.indexOf(pod.status?.phase ?? "")),
    byNumber((pod) => Number(isReady(pod))),
    byNumber((pod) => Number(pod.metadata.annotations?.[DELETION_COST] ?? 0)),
    byNumber((pod) => -(perNode.get(nodeOf(pod)) ?? 0)),
    youngerFirst((pod) => readySinceMs(pod), nowMs),
    byNumber((pod) => -mostRestarts(pod)),
    youngerFirst((pod) => timeOf(pod.metadata.creationTimestamp), nowMs),
  ];
  return pods.toSorted((left, right) => {
    for (const compare of comparisons) {
      const order = compare(left, right);
      if (order !== 0) return order;
    }
    return 0;
  });
}

function nodeOf({ spec }: Pod): string {
  return spec?.nodeName ?? "";
}

function byNumber(numberOf: (pod: Pod) => number): Comparison {
  return (left, right) => numberOf(left) - numberOf(right);
}

/** Ages count by their magnitude: among pods of about the same age chance decides, which the uid stands for. */
function youngerFirst(sinceMs: (pod: Pod) => number | undefined, nowMs: number): Comparison {
  const magnitude = (since: number): number => (nowMs > since ? Math.floor(Math.log2((nowMs - since) * 1e6)) : -1);
  return (left, right) => {
    const [a, b] = [sinceMs(left), sinceMs(right)];
    if (a === undefined || b === undefined || a === b) return 0;
    const order = magnitude(a) - magnitude(b);
    if (order !== 0) return order;
    return (left.metadata.uid ?? "") < (right.metadata.uid ?? "") ? -1 : 1;
  };
}

function mostRestarts({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}
