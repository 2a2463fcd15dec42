import type { Canary, CanaryStatus } from "@chaski/api/kinds";
import { findCondition } from "@chaski/kube";
import type { Waiting } from "./gates.ts";
import type { Gate } from "./release.ts";

/** A Canary in a few sentences: where it stands, what it waits for, what would help. */
export function describeCanary({ metadata, status = {} }: Canary): readonly string[] {
  const closed = closedGate(status);
  const ready = findCondition(status.conditions, "Ready");
  const sentences = [
    `${metadata.name}: ${headline(status)}`,
    status.batch && `batch ${status.batch}, ${status.availableReplicas ?? 0} pods available`,
    closed?.message ?? ready?.message,
    closed?.unblock && `→ ${closed.unblock}`,
  ];
  return sentences.flatMap((text) => text || []);
}

/** In the form that `why` explains. */
export function canaryStanding({ metadata: { name }, status }: Canary): Waiting {
  const gates = status?.gates ?? [];
  if (!status || gates.length === 0) {
    return { name, gates, standing: { type: "new", message: "nothing was checked yet: is the operator running?" } };
  }
  const gate = closedGate(status);
  return {
    name,
    gates,
    standing: gate
      ? { type: "waiting", message: gate.message, gate }
      : { type: "released", message: findCondition(status.conditions, "Ready")?.message ?? "every gate is passed" },
  };
}

/** What it waits for, if anything. */
export function closedGate({ gates = [] }: CanaryStatus): Gate | undefined {
  return gates.find(({ verdict }) => verdict !== "passed");
}

function headline({ type, image }: CanaryStatus): string {
  if (type === undefined) return "not looked at yet; is the operator running?";
  return image === undefined ? type : `${type} of ${image}`;
}
