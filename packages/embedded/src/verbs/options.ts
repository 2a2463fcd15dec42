import { ApiError, badRequest } from "../errors/api-error.ts";
import type { ResourceRequest } from "../server/request.ts";

export function isDryRun({ query }: Pick<ResourceRequest, "query">): boolean {
  const values = query.getAll("dryRun");
  const bad = values.filter((value) => value !== "All" && value !== "");
  if (bad.length > 0)
    throw invalidOptions("dryRun", `Unsupported value: ${JSON.stringify(bad)}: supported values: "All"`);
  return values.includes("All");
}

export type FieldValidation = "Ignore" | "Warn" | "Strict";

export function fieldValidationOf({ query }: ResourceRequest): FieldValidation {
  const value = query.get("fieldValidation") ?? "";
  if (value === "") return "Warn";
  if (value === "Ignore" || value === "Warn" || value === "Strict") return value;
  throw invalidOptions(
    "fieldValidation",
    `Invalid value: ${JSON.stringify(value)}: fieldValidation must be one of Ignore, Warn, Strict`,
  );
}

/** The field manager by name, else by what the client calls itself. */
export function managerOf({ query, headers }: ResourceRequest): string {
  const manager = query.get("fieldManager") ?? "";
  if (manager.length > 128) throw invalidOptions("fieldManager", "Too long: may not be more than 128 bytes");
  if (manager !== "") return manager;
  const agent = (headers["user-agent"] ?? "").split("/")[0] ?? "";
  return agent.replaceAll(/\p{Cc}/gu, "").slice(0, 128) || "unknown";
}

function invalidOptions(field: string, message: string): ApiError {
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `CreateOptions.meta.k8s.io "" is invalid: ${field}: ${message}`,
    details: { group: "meta.k8s.io", kind: "CreateOptions", causes: [{ reason: "FieldValueInvalid", message, field }] },
  });
}

export function positiveInteger(text: string | null, name: string): number | undefined {
  if (text === null || text === "") return undefined;
  if (!/^-?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = Number(text);
  if (value < 0) throw badRequest(`${name} must be a non-negative integer`);
  return value;
}
