import { ApiError, badRequest } from "../errors/api-error.ts";
import type { ResourceRequest } from "./request.ts";

export function isDryRun({ query }: Pick<ResourceRequest, "query">): boolean {
  const values = query.getAll("dryRun");
  const bad = values.filter((value) => value !== "All" && value !== "");
  if (bad.length > 0)
    throw invalidOptions(
      "dryRun",
      "NotSupported",
      `Unsupported value: ${JSON.stringify(bad)}: supported values: "All"`,
    );
  return values.includes("All");
}

export type FieldValidation = "Ignore" | "Warn" | "Strict";

export function fieldValidationOf({ query }: ResourceRequest): FieldValidation {
  const value = query.get("fieldValidation") ?? "";
  if (value === "") return "Warn";
  if (value === "Ignore" || value === "Warn" || value === "Strict") return value;
  const supported = `supported values: "", "Ignore", "Strict", "Warn"`;
  throw invalidOptions("fieldValidation", "NotSupported", `Unsupported value: ${JSON.stringify(value)}: ${supported}`);
}

/** The field manager by name, else by what the client calls itself. */
export function managerOf({ query, headers }: ResourceRequest): string {
  const manager = query.get("fieldManager") ?? "";
  if (manager.length > 128) throw invalidOptions("fieldManager", "TooLong", "Too long: may not be more than 128 bytes");
  if (manager !== "") return manager;
  const agent = (headers["user-agent"] ?? "").split("/")[0] ?? "";
  return agent.replaceAll(/\p{Cc}/gu, "").slice(0, 128) || "unknown";
}

type Problem = "NotSupported" | "TooLong" | "Forbidden" | "Required";

export function invalidOptions(field: string, problem: Problem, message: string, kind = "CreateOptions"): ApiError {
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `${kind}.meta.k8s.io "" is invalid: ${field}: ${message}`,
    details: { group: "meta.k8s.io", kind, causes: [{ reason: `FieldValue${problem}`, message, field }] },
  });
}

/** Undefined when absent, or no limit at all. */
export function countIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? "";
  if (text === "") return undefined;
  if (!/^-?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text) > 0 ? Number(text) : undefined;
}
