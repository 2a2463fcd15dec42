import { pathsOf } from "./fields-v1.ts";
import { compareStrings, goQuote } from "../schema/go-format.ts";
import type { Manager } from "./managers.ts";
import { describePath } from "./path-element.ts";
import type { Conflict } from "./updater.ts";

export interface ConflictCause {
  readonly reason: "FieldManagerConflict";
  readonly message: string;
  readonly field: string;
}

export function describeConflicts(conflicts: readonly Conflict[]): ConflictCause[] {
  return sorted(conflicts).flatMap(({ manager, set }) =>
    [...pathsOf(set)].map((path) => ({
      reason: "FieldManagerConflict" as const,
      message: `conflict with ${describeManager(manager)}`,
      field: describePath(path),
    })),
  );
}

/** In the server's words; it sorts managers by their identity. */
export function conflictMessage(conflicts: readonly Conflict[]): string {
  const causes = describeConflicts(conflicts);
  const [only] = causes;
  if (only !== undefined && causes.length === 1) return `Apply failed with 1 conflict: ${only.message}: ${only.field}`;
  const lines = sorted(conflicts).flatMap(({ manager, set }) => [
    `conflicts with ${describeManager(manager)}:`,
    ...[...pathsOf(set)].map((path) => `- ${describePath(path)}`),
  ]);
  return `Apply failed with ${causes.length} conflicts: ${lines.join("\n")}`;
}

function sorted(conflicts: readonly Conflict[]): readonly Conflict[] {
  return conflicts.toSorted((left, right) => compareStrings(left.identity, right.identity));
}

function describeManager({ manager, subresource, operation, apiVersion }: Manager): string {
  const name = goQuote(manager) + (subresource === "" ? "" : ` with subresource ${goQuote(subresource)}`);
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}
