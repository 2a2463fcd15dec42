// `--observe`: what would be changed, object by object, told once.
import { apiVersionOf, describeRef } from "@chaski/kube";
import type { FieldChange, ObservedChange } from "@chaski/runtime";

export type ObserveFormat = "text" | "json";

const TOLD_MAX = 100_000;
const VALUE_MAX = 120;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Each pass finds the same differences again, with its own time in them; only a new one is printed. */
export function tellChanges(format: ObserveFormat, print: (text: string) => void): (change: ObservedChange) => void {
  const told = new Map<string, string>();
  return (change) => {
    const subject = subjectOf(change);
    const text = format === "json" ? asJson(change) : asText(change);
    const timeless = text.replaceAll(TIME, "");
    if (told.get(subject) === timeless) return;
    if (told.size >= TOLD_MAX) told.clear();
    told.set(subject, timeless);
    print(text);
  };
}

function subjectOf({ cluster, verb, ref, fields }: ObservedChange): string {
  const part = fields.some(({ path }) => path.startsWith("status")) ? "status" : "";
  return [cluster, verb, apiVersionOf(ref.kind), ref.kind.kind, ref.namespace, ref.name, part].join(" ");
}

function asJson({ cluster, verb, ref, fields }: ObservedChange): string {
  const { kind, namespace, name } = ref;
  return JSON.stringify({ cluster, verb, apiVersion: apiVersionOf(kind), kind: kind.kind, namespace, name, fields });
}

function asText({ cluster, verb, ref, fields }: ObservedChange): string {
  return [`${cluster}: would ${verb} ${describeRef(ref)}`, ...fields.map(fieldText)].join("\n");
}

function fieldText({ path, from, to }: FieldChange): string {
  return from === undefined ? `    ${path}: ${short(to)}` : `    ${path}: ${short(from)} → ${short(to)}`;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text;
}
