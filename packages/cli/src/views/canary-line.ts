import type { Canary } from "@chaski/api";

/** A Canary in a few lines: where it stands, what it waits for, what would help. */
export function describeCanary({ metadata, status = {} }: Canary): string {
  const { type = "not looked at yet", image, batch, availableReplicas = 0, gates = [], conditions = [] } = status;
  const closed = gates.find(({ verdict }) => verdict !== "passed");
  const ready = conditions.find((condition) => condition.type === "Ready");
  const lines = [
    `${metadata.name}: ${type}${image === undefined ? "" : ` of ${image}`}`,
    batch && `batch ${batch}, ${availableReplicas} pods available`,
    closed?.message ?? ready?.message,
    closed?.unblock && `→ ${closed.unblock}`,
  ];
  return lines.filter(Boolean).join("\n");
}
