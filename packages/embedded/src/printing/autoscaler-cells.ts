import { asText } from "../codec/text.ts";
import { at, numberAt, objectAt, objectsAt, stringAt } from "../schema/fields.ts";
import type { JsonObject } from "../schema/json.ts";
import { ageOf } from "./age.ts";

const SHOWN_MAX = 2;

export function autoscalerCells(autoscaler: JsonObject, nowMs: number): unknown[] {
  const target = objectAt(autoscaler, "spec", "scaleTargetRef");
  return [
    stringAt(autoscaler, "metadata", "name"),
    `${stringAt(target, "kind")}/${stringAt(target, "name")}`,
    metricsText(autoscaler),
    asText(at(autoscaler, "spec", "minReplicas")) || "<unset>",
    numberAt(autoscaler, "spec", "maxReplicas") ?? 0,
    numberAt(autoscaler, "status", "currentReplicas") ?? 0,
    ageOf(at(autoscaler, "metadata", "creationTimestamp"), nowMs),
  ];
}

function metricsText(autoscaler: JsonObject): string {
  const current = objectsAt(autoscaler, "status", "currentMetrics");
  const texts = objectsAt(autoscaler, "spec", "metrics").map((metric, index) => metricText(metric, current[index]));
  if (texts.length === 0) return "<none>";
  const shown = texts.slice(0, SHOWN_MAX).join(", ");
  return texts.length > SHOWN_MAX ? `${shown} + ${texts.length - SHOWN_MAX} more...` : shown;
}

function metricText(metric: JsonObject, status: JsonObject | undefined): string {
  const type = stringAt(metric, "type");
  const source = `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`;
  const [target, current] = [objectAt(metric, source, "target"), objectAt(status, source, "current")];
  if (!target) return "<unknown type>";
  if (source === "resource" || source === "containerResource")
    return `${stringAt(metric, source, "name")}: ${resourceText(target, current)}`;
  const isAverage = stringAt(target, "averageValue") !== "";
  const value = (amount: JsonObject | undefined): string => stringAt(amount, isAverage ? "averageValue" : "value");
  return `${value(current) || "<unknown>"}/${value(target)}${isAverage && source !== "pods" ? " (avg)" : ""}`;
}

function resourceText(target: JsonObject, current: JsonObject | undefined): string {
  const wanted = stringAt(target, "averageValue");
  if (wanted !== "") return `${stringAt(current, "averageValue") || "<unknown>"}/${wanted}`;
  const percent = (amount: JsonObject | undefined, absent: string): string => {
    const utilization = numberAt(amount, "averageUtilization");
    return utilization === undefined ? absent : `${utilization}%`;
  };
  return `${percent(current, "<unknown>")}/${percent(target, "<auto>")}`;
}
