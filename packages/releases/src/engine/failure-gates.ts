// Why a revision went back: told until a better one comes.
import { releaseKeys } from "@chaski/api";
import type { Gate } from "@chaski/runtime/decision";
import type { Incarnation } from "./incarnation.ts";
import { sinceOf } from "./time-text.ts";

export function failureGates(incarnations: readonly Incarnation[]): readonly Gate[] {
  const isNewest = (index: number): boolean => incarnations.slice(0, index).every(({ state }) => isFailed(state));
  return incarnations
    .filter(({ state }, index) => state === "failing" || (state === "failed" && isNewest(index)))
    .map(failureGate);
}

function isFailed(state: Incarnation["state"]): boolean {
  return state === "failing" || state === "failed";
}

function failureGate(incarnation: Incarnation): Gate {
  const { tag, status } = incarnation;
  return {
    ...causeOf(incarnation),
    verdict: "failed",
    subject: tag,
    unblock: "release a mended revision",
    ...sinceOf(status.state.lastUpdated),
  };
}

function causeOf({ tag, status, settings, revision }: Incarnation): Pick<Gate, "name" | "message" | "value"> {
  const alerts = (status.triggeredAlerts ?? []).join(", ");
  if (alerts !== "") return { name: "Evidence", value: alerts, message: `${tag} was judged bad: ${alerts}` };
  if (settings?.test.status === "failed") return { name: "Tested", message: `the external test of ${tag} failed` };
  const reason = revision?.metadata.annotations?.[releaseKeys.annotations.reason];
  return { name: "Unfailed", message: `${tag} is marked failed${reason ? `: ${reason}` : ""}` };
}
