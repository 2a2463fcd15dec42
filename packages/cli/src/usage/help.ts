// How help is written: what a command is about first, where its cluster is last, and no default that says nothing.
import type { Help, Option } from "commander";

/** Command lines to copy. */
export function examples(...lines: readonly string[]): string {
  return ["", "Examples:", ...lines.map((text) => `  chaski ${text}`)].join("\n");
}

/** The heading of the options that every command on a cluster has. */
export const CLUSTER_GROUP = "Which cluster:";

export const helpStyle = { groupItems, optionDescription } satisfies Partial<Help>;

function optionDescription(option: Option): string {
  const { description, argChoices = [], mandatory } = option;
  const notes = [
    mandatory ? "needed" : [],
    argChoices.length > 1 ? argChoices.join(" or ") : [],
    defaultOf(option) ?? [],
  ].flat();
  return notes.length === 0 ? description : `${description} (${notes.join("; ")})`;
}

/** That a switch is off or a text empty goes without saying. */
function defaultOf({ defaultValue: value, defaultValueDescription: text }: Option): string | undefined {
  if (text !== undefined) return `default: ${text}`;
  const isTelling = typeof value === "number" || typeof value === "string" || value === true;
  return isTelling && value !== "" ? `default: ${value}` : undefined;
}

function groupItems<T>(_all: readonly T[], visible: readonly T[], groupOf: (item: T) => string): Map<string, T[]> {
  const groups = Map.groupBy(visible, groupOf);
  const last = groups.get(CLUSTER_GROUP);
  if (last && groups.delete(CLUSTER_GROUP)) groups.set(CLUSTER_GROUP, last);
  return groups;
}
