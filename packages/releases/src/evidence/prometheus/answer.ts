// What Prometheus (or Thanos, or Mimir) answers to an instant query, read strictly: what is not understood is unknown.
import { redactText } from "@chaski/runtime";
import type { Subject } from "../judge.ts";

/** Names of firing alerts by app and tag. */
export type Firing = ReadonlyMap<string, readonly string[]>;

export class NoAnswerError extends Error {}

export function readAnswer(status: number, text: string): Firing {
  const body = fieldsOf(parseJson(text));
  if (body["status"] !== "success" && body["status"] !== "error")
    throw new NoAnswerError(`it answered ${status} with something else than its API does`);
  if (body["status"] === "error" || status !== 200)
    throw new NoAnswerError(`it answered ${status}: ${brief(body["error"] ?? "no reason given")}`);
  const warnings = body["warnings"] ?? [];
  if (!Array.isArray(warnings) || warnings.length > 0)
    throw new NoAnswerError(`the answer is partial: ${brief([warnings].flat().join("; "))}`);
  const { resultType = "nothing", result } = fieldsOf(body["data"]);
  if (resultType !== "vector" || !Array.isArray(result))
    throw new NoAnswerError(`the answer is no vector but ${brief(resultType)}`);
  return firingIn(result);
}

export function firingAlerts(firing: Firing, { app, tag }: Pick<Subject, "app" | "tag">): readonly string[] {
  return firing.get(keyOf(app, tag)) ?? [];
}

function firingIn(samples: readonly unknown[]): Firing {
  const names = new Map<string, Set<string>>();
  for (const sample of samples) {
    const { metric } = fieldsOf(sample);
    if (typeof metric !== "object" || metric === null) throw new NoAnswerError("the answer's vector can't be read");
    const { app, tag, alertname } = fieldsOf(metric);
    if (!isName(app) || !isName(tag) || !isName(alertname)) continue;
    const key = keyOf(app, tag);
    names.set(key, (names.get(key) ?? new Set()).add(alertname));
  }
  return new Map([...names].map(([key, found]) => [key, [...found].toSorted()]));
}

function keyOf(app: string, tag: string): string {
  return `${app}\n${tag}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function brief(words: unknown): string {
  return redactText(String(words).slice(0, 120));
}
