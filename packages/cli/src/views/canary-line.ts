import type { Canary, CanaryStatus } from "@chaski/api";
import { findCondition } from "@chaski/kube";

export type Gate = NonNullable<CanaryStatus["gates"]>[number];

/** A Canary in a few lines: where it stands, what it waits for, what would help. */
export function describeCanary({ metadata, status = {} }: Canary): string {
  const closed = closedGate(status);
  const ready = findCondition(status.conditions, "Ready");
  const lines = [
    `${metadata.name}: ${headline(status)}`,
    status.batch && `batch ${status.batch}, ${status.availableReplicas ?? 0} pods available`,
    closed?.message ?? ready?.message,
    closed?.unblock && `→ ${closed.unblock}`,
  ];
  return lines.filter(Boolean).join("\n");
}

/** What it waits for, if anything. */
export function closedGate({ gates = [] }: CanaryStatus): Gate | undefined {
  return gates.find(({ verdict }) => verdict !== "passed");
}

function headline({ type, image }: CanaryStatus): string {
  if (type === undefined) return "not looked at yet; is the operator running?";
  return image === undefined ? type : `${type} of ${image}`;
}
