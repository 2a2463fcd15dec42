// A Canary, live: the pods of both sides, the batches, what it waits for.
import type { Canary } from "@chaski/api/kinds";
import type { Deployment } from "@chaski/kube";
import { podDots } from "./bar.ts";
import { closedGate } from "./canary-line.ts";
import { type Frame, type Line, line, padEnd, span, widthOf, wrap } from "./line.ts";

export interface CanaryScene {
  readonly canary: Canary;
  readonly older: Deployment | undefined;
  readonly newer: Deployment | undefined;
}

export function drawCanary({ canary, older, newer }: CanaryScene, frame: Frame): readonly Line[] {
  const { spec } = canary;
  return [
    ...drawHead(canary, frame),
    drawSide("old", spec.oldDeploymentName, older),
    drawSide("new", spec.newDeploymentName, newer),
    ...drawBatches(canary),
    ...drawWaiting(canary, frame),
  ];
}

/** Name, image and batch, broken between them where there is little room. */
function drawHead({ metadata, status, spec }: Canary, { columns }: Frame): readonly Line[] {
  const name = `Canary ${metadata.name}`;
  const facts = [status?.image ?? spec.image ?? "", `batch ${status?.batch ?? "–"}`];
  const isOneLine = widthOf([name, ...facts].join("  ")) <= columns;
  const head = span(name, "bold");
  return isOneLine ? [line(head, `  ${facts.join("  ")}`)] : [line(head), ...facts.map((fact) => line(fact))];
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

function drawWaiting({ status }: Canary, { columns }: Frame): readonly Line[] {
  const closed = status && closedGate(status);
  if (status && !closed) return [line(span("the release is complete", "green"))];
  const text = closed ? `waits: ${closed.message}` : "waits for the operator";
  return wrap(text, columns).map((part) => line(span(part, "yellow")));
}
