// A Canary, live: the pods of both sides, the batches, what it waits for.
import type { Canary } from "@chaski/api/kinds";
import type { Deployment } from "@chaski/kube";
import { podDots } from "./bar.ts";
import { closedGate } from "./canary-line.ts";
import { type Line, line, padEnd, span } from "./line.ts";

export interface CanaryScene {
  readonly canary: Canary;
  readonly older: Deployment | undefined;
  readonly newer: Deployment | undefined;
}

export function drawCanary({ canary, older, newer }: CanaryScene): readonly Line[] {
  const { metadata, status, spec } = canary;
  return [
    line(
      span(`Canary ${metadata.name}`, "bold"),
      `  ${status?.image ?? spec.image ?? ""}  batch ${status?.batch ?? "–"}`,
    ),
    drawSide("old", spec.oldDeploymentName, older),
    drawSide("new", spec.newDeploymentName, newer),
    ...drawBatches(canary),
    drawWaiting(canary),
  ];
}

function drawSide(side: string, name = "", deployment: Deployment | undefined): Line {
  const { replicas = 0 } = deployment?.spec ?? {};
  const available = deployment?.status?.availableReplicas ?? 0;
  const state = deployment ? `${available}/${replicas}` : "gone";
  return line(span(side, "dim"), ` ${padEnd(name, 10)} ${padEnd(state, 5)} `, ...podDots(available, replicas));
}

function drawBatches({ spec, status }: Canary): readonly Line[] {
  const info = status?.info ?? {};
  const marks = Array.from({ length: spec.totalBatches ?? 0 }, (_, index) => {
    const progress = info[`batch${index + 1}Status`];
    if (progress === "Finished") return span(`✓ ${index + 1}  `, "green");
    return progress === "Ing" ? span(`… ${index + 1}  `, "cyan") : span(`· ${index + 1}  `, "dim");
  });
  return marks.length === 0 ? [] : [line(span("batches ", "dim"), ...marks)];
}

function drawWaiting({ status }: Canary): Line {
  if (!status) return line(span("waits for the operator", "yellow"));
  const closed = closedGate(status);
  return closed ? line(span(`waits: ${closed.message}`, "yellow")) : line(span("the release is complete", "green"));
}
