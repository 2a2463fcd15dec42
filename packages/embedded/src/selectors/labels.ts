import { matchesLabels, parseLabelSelector as parse } from "@chaski/kube";
import { badRequest } from "../errors/api-error.ts";
import { isObject, type JsonObject, own } from "../schema/json.ts";

export type Matcher = (object: JsonObject) => boolean;

/** Undefined: everything matches. */
export function parseLabelSelector(text: string): Matcher | undefined {
  const parsed = parse(text);
  if (!parsed.ok) throw badRequest(`unable to parse requirement: ${parsed.problem}`);
  if (parsed.value.length === 0) return undefined;
  return (object) => matchesLabels(parsed.value, labelsOf(object));
}

function labelsOf(object: JsonObject): Record<string, string> {
  const metadata = own(object, "metadata");
  const labels = isObject(metadata) ? own(metadata, "labels") : undefined;
  return isObject(labels) ? (labels as Record<string, string>) : {};
}
