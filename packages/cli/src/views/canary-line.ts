import type { Canary } from "@chaski/api";

/** A Canary in a few lines: where it stands, what it waits for, what would help. */
export function describeCanary({ metadata, status = {} }: Canary): string {
  const closed = status.gates?.find(({ verdict }) => verdict !== "passed");
  const ready = status.conditions?.find(({ type }) => type === "Ready");
  const lines = [
    `${metadata.name}: ${headline(status)}`,
    status.batch && `batch ${status.batch}, ${status.availableReplicas ?? 0} pods available`,
    closed?.message ?? ready?.message,
    closed?.unblock && `→ ${closed.unblock}`,
  ];
  return lines.filter(Boolean).join("\n");
}

function headline({ type, image }: NonNullable<Canary["status"]>): string {
  if (type === undefined) return "not looked at yet; is the operator running?";
  return image === undefined ? type : `${type} of ${image}`;
}
