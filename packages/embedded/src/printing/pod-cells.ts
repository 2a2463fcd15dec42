// What `kubectl get pods` says of a pod.
import { at, numberAt, objectAt, objectsAt, stringAt } from "../schema/fields.ts";
import type { JsonObject } from "../schema/json.ts";
import { ageOf } from "./age.ts";

export function podCells(pod: JsonObject, nowMs: number): unknown[] {
  const main = summarise(pod);
  const address = stringAt(objectsAt(pod, "status", "podIPs")[0], "ip");
  return [
    stringAt(pod, "metadata", "name"),
    `${main.ready}/${main.total}`,
    reasonOf(pod, main.reason),
    restartsText(main, nowMs),
    ageOf(at(pod, "metadata", "creationTimestamp"), nowMs),
    address || "<none>",
    stringAt(pod, "spec", "nodeName") || "<none>",
    stringAt(pod, "status", "nominatedNodeName") || "<none>",
    readinessGates(pod),
  ];
}

interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
  readonly lastRestart: string;
  readonly reason: string;
}

function summarise(pod: JsonObject): Summary {
  const statuses = objectsAt(pod, "status", "containerStatuses");
  const restarting = objectsAt(pod, "spec", "initContainers").filter((init) => init["restartPolicy"] === "Always");
  const running = statuses.filter((status) => status["ready"] === true && objectAt(status, "state", "running"));
  const restarts = statuses.reduce((sum, status) => sum + (numberAt(status, "restartCount") ?? 0), 0);
  const endings = statuses.map((status) => stringAt(status, "lastState", "terminated", "finishedAt")).toSorted();
  return {
    ready: running.length,
    total: objectsAt(pod, "spec", "containers").length + restarting.length,
    restarts,
    lastRestart: endings.at(-1) ?? "",
    reason: initReason(pod) ?? containersReason(pod, statuses, running.length > 0),
  };
}

/** Undefined once the init containers are done. */
function initReason(pod: JsonObject): string | undefined {
  const inits = objectsAt(pod, "status", "initContainerStatuses");
  const index = inits.findIndex((status) => numberAt(status, "state", "terminated", "exitCode") !== 0);
  const status = inits[index];
  if (!status || isTrue(pod, "Initialized")) return undefined;
  const terminated = objectAt(status, "state", "terminated");
  if (terminated)
    return `Init:${stringAt(terminated, "reason") || `ExitCode:${numberAt(terminated, "exitCode") ?? 0}`}`;
  const waiting = stringAt(status, "state", "waiting", "reason");
  if (waiting !== "" && waiting !== "PodInitializing") return `Init:${waiting}`;
  return `Init:${index}/${objectsAt(pod, "spec", "initContainers").length}`;
}

function containersReason(pod: JsonObject, statuses: readonly JsonObject[], hasRunning: boolean): string {
  const own = stringAt(pod, "status", "reason") || stringAt(pod, "status", "phase");
  const reasons = statuses.map(containerReason);
  const reason = reasons.find((found) => found !== "") ?? own;
  if (reason !== "Completed") return reason;
  if (hasRunning) return isTrue(pod, "Ready") ? "Running" : "NotReady";
  return reasons.find((found) => found !== "" && found !== "Completed") ?? reason;
}

function containerReason(status: JsonObject): string {
  const waiting = stringAt(status, "state", "waiting", "reason");
  const terminated = objectAt(status, "state", "terminated");
  if (waiting !== "" || !terminated) return waiting;
  return stringAt(terminated, "reason") || `ExitCode:${numberAt(terminated, "exitCode") ?? 0}`;
}

function reasonOf(pod: JsonObject, reason: string): string {
  const isGoing = at(pod, "metadata", "deletionTimestamp") !== undefined;
  const hasEnded = ["Succeeded", "Failed"].includes(stringAt(pod, "status", "phase"));
  if (!isGoing || hasEnded) return reason;
  return stringAt(pod, "status", "reason") === "NodeLost" ? "Unknown" : "Terminating";
}

function restartsText({ restarts, lastRestart }: Summary, nowMs: number): string {
  return restarts > 0 && lastRestart !== "" ? `${restarts} (${ageOf(lastRestart, nowMs)} ago)` : `${restarts}`;
}

function readinessGates(pod: JsonObject): string {
  const gates = objectsAt(pod, "spec", "readinessGates");
  if (gates.length === 0) return "<none>";
  return `${gates.filter((gate) => isTrue(pod, stringAt(gate, "conditionType"))).length}/${gates.length}`;
}

function isTrue(pod: JsonObject, type: string): boolean {
  return objectsAt(pod, "status", "conditions").some(
    (condition) => condition["type"] === type && condition["status"] === "True",
  );
}
