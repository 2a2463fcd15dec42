// All Canaries, a row each.
import type { Canary } from "@chaski/api/kinds";
import { canaryStanding } from "./canary-line.ts";
import { whenText } from "./gates.ts";
import { type Frame, type Line, span } from "./line.ts";
import { byName, STYLES } from "./release-list.ts";
import { type Column, drawTable } from "./table.ts";
import { age } from "./times.ts";

export function drawCanaries(canaries: readonly Canary[], frame: Frame): readonly Line[] {
  const namespaces = new Set(canaries.map(({ metadata }) => metadata.namespace));
  const columns = columnsFor(frame);
  return drawTable(
    canaries.toSorted((a, b) => byName(a.metadata, b.metadata)),
    namespaces.size > 1 ? [NAMESPACE, ...columns] : columns,
    frame.columns,
  );
}

const NAMESPACE: Column<Canary> = {
  heading: "NAMESPACE",
  rank: 5,
  cell: ({ metadata }) => span(metadata.namespace ?? ""),
};

function columnsFor(frame: Frame): readonly Column<Canary>[] {
  return [
    { heading: "CANARY", rank: 0, cell: ({ metadata }) => span(metadata.name, "bold") },
    { heading: "IMAGE", rank: 4, cell: ({ status, spec }) => span(status?.image ?? spec.image ?? "–") },
    {
      heading: "BATCH",
      rank: 1,
      cell: (canary) => span(canary.status?.batch ?? "–", STYLES[canaryStanding(canary).standing.type]),
    },
    { heading: "PODS", rank: 2, cell: ({ status }) => span(String(status?.availableReplicas ?? "–")) },
    { heading: "WAITS FOR", rank: 3, isElastic: true, cell: (canary) => span(waitText(canary, frame)) },
    { heading: "AGE", rank: 6, cell: ({ metadata }) => span(age(metadata.creationTimestamp, frame), "dim") },
  ];
}

function waitText(canary: Canary, frame: Frame): string {
  const { type, message, gate } = canaryStanding(canary).standing;
  return type === "released" ? "–" : `${message}${whenText(gate, frame)}`;
}

/** For a log: a line that is new whenever something is. */
export function tellCanary(canary: Canary): readonly string[] {
  const { name, standing } = canaryStanding(canary);
  const batch = canary.status?.batch === undefined ? "" : ` at batch ${canary.status.batch}`;
  const what = standing.type === "released" ? "waits for nothing" : standing.message;
  return [`canary/${name}${batch}: ${what}`];
}
