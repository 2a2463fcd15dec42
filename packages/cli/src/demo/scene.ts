import { stripVTControlCharacters, styleText } from "node:util";
import type { Canary } from "@chaski/api";
import type { Deployment } from "@chaski/kube";
import { closedGate } from "../views/canary-line.ts";
import { CANARY, NEWER, OLDER, REPLICAS } from "./objects.ts";

/** All that the view shows. */
export interface Scene {
  readonly canary: Canary | undefined;
  readonly older: Deployment | undefined;
  readonly newer: Deployment | undefined;
  readonly approveCommand: string;
  readonly columns: number;
}

export function drawScene(scene: Scene): string[] {
  const { canary, older, newer } = scene;
  const lines = [
    styleText("bold", `Canary ${CANARY}`) + `  ${canary?.status?.image ?? ""}  batch ${canary?.status?.batch ?? "–"}`,
    "",
    podLine("old", OLDER, older, "yellow"),
    podLine("new", NEWER, newer, "green"),
    "",
    ...batchLines(canary),
    "",
    gateLine(scene),
  ];
  // A command has to be whole to be copied.
  return [...lines.map((line) => clip(line, scene.columns)), ...(isForApproval(scene) ? [scene.approveCommand] : [])];
}

/** Ready pods filled, others hollow. */
function podLine(side: string, name: string, deployment: Deployment | undefined, color: "yellow" | "green"): string {
  const { replicas = 0 } = deployment?.spec ?? {};
  const available = Math.min(deployment?.status?.availableReplicas ?? 0, REPLICAS);
  const starting = Math.max(0, Math.min(replicas, REPLICAS) - available);
  const pods = styleText(color, "●".repeat(available)) + "○".repeat(starting);
  const state = deployment ? `${available} of ${replicas} available` : "gone";
  return `${side}  ${name}  ${pods}${" ".repeat(REPLICAS - available - starting)}  ${state}`;
}

function batchLines(canary: Canary | undefined): string[] {
  const total = canary?.spec.totalBatches ?? 0;
  const info = canary?.status?.info ?? {};
  return Array.from({ length: total }, (_, index) => {
    const progress = info[`batch${index + 1}Status`];
    const bar =
      { Finished: styleText("green", "━━━━━━━━━━"), Ing: styleText("cyan", "━━━━━╸····") }[progress ?? ""] ??
      "··········";
    const word = { Finished: "finished", Ing: "under way" }[progress ?? ""] ?? "to come";
    return `batch ${index + 1}  ${bar}  ${word}`;
  });
}

function gateLine({ canary }: Scene): string {
  if (!canary?.status) return "waiting for the operator to look at the Canary";
  const closed = closedGate(canary.status);
  if (!closed) return styleText("green", "the release is complete");
  const waits = `waits: ${closed.message}`;
  return closed.name === "Approval" ? styleText("bold", `${waits}; approve it with`) : waits;
}

function isForApproval({ canary }: Scene): boolean {
  return closedGate(canary?.status ?? {})?.name === "Approval";
}

/** What does not fit is cut, and loses its colours with it. */
function clip(line: string, columns: number): string {
  const plain = stripVTControlCharacters(line);
  return plain.length <= columns ? line : plain.slice(0, columns);
}
