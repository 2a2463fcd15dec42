// What Prometheus (or Thanos, or Mimir) answers to an instant query, read strictly: what is not understood is unknown.
import { redactText } from "@chaski/runtime";
import type { Subject } from "../judge.ts";

/** Names of firing alerts by app and tag. */
export type Firing = ReadonlyMap<string, readonly string[]>;

export class NoAnswerError extends Error {}

export function readAnswer(status: number, text: string): Firing {
  const { status: outcome, error, warnings, data } = fieldsOf(parseJson(text));
  if (outcome !== "success" && outcome !== "error")
    throw new NoAnswerError(`it answered ${status} with something else than its API does`);
  if (outcome === "error" || status !== 200)
    throw new NoAnswerError(`it answered ${status}: ${brief(error ?? "no reason given")}`);
  if (hasAny(warnings)) throw new NoAnswerError(`the answer is partial: ${brief(warnings)}`);
  return firingIn(vectorIn(data));
}

export function firingAlerts(firing: Firing, { app, tag }: Pick<Subject, "app" | "tag">): readonly string[] {
  return firing.get(keyOf(app, tag)) ?? [];
}

function hasAny(warnings: unknown): boolean {
  return Array.isArray(warnings) ? warnings.length > 0 : warnings !== undefined && warnings !== null;
}

function vectorIn(data: unknown): readonly unknown[] {
  const { resultType = "nothing", result } = fieldsOf(data);
  if (resultType === "vector" && Array.isArray(result)) return result;
  throw new NoAnswerError(`the answer is no vector but ${brief(resultType)}`);
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
  const text = [words].flat().map((word) => (typeof word === "string" ? word : JSON.stringify(word)));
  return redactText(text.join("; ").slice(0, 120));
}
