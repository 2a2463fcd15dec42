import { ApiError, badRequest } from "../errors/api-error.ts";
import { decodeKind } from "../builtin/resources.ts";
import { type JsonObject, own } from "../schema/json.ts";
import { isTrue, type ResourceRequest } from "../request/request.ts";
import { decodeOr400, readBody } from "./body.ts";
import { asText, toJson } from "../codec/text.ts";

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Foreground" | "Background" | "Orphan";
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly isDryRun: boolean;
}

const DELETE_OPTIONS = { group: "", version: "v1", kind: "DeleteOptions" };
const POLICIES = ["Foreground", "Background", "Orphan"];

/** From the body if there is one, else from the query. */
export function deleteOptionsOf(request: ResourceRequest): DeleteOptions {
  const sent = request.body === "" ? fromQuery(request) : fromBody(request);
  const { propagationPolicy, orphanDependents, dryRun } = sent;
  if (propagationPolicy !== undefined && !POLICIES.includes(asText(propagationPolicy)))
    throw refused(
      "propagationPolicy",
      "NotSupported",
      `Unsupported value: ${toJson(propagationPolicy)}: supported values: "Background", "Foreground", "Orphan"`,
    );
  if (propagationPolicy !== undefined && orphanDependents !== undefined)
    throw refused(
      "propagationPolicy",
      "Invalid",
      `Invalid value: ${toJson(propagationPolicy)}: orphanDependents and deletionPropagation cannot be both set`,
    );
  const policy = propagationPolicy ?? legacyPolicy(orphanDependents);
  const isDryRun = isDryRunIn(dryRun);
  return { ...sent, ...(policy !== undefined && { propagationPolicy: policy }), isDryRun } as DeleteOptions;
}

function legacyPolicy(orphanDependents: unknown): string | undefined {
  if (orphanDependents === undefined) return undefined;
  return orphanDependents === true ? "Orphan" : "Background";
}

function fromBody(request: ResourceRequest): JsonObject {
  const body = readBody(request);
  const kind = own(body, "kind") ?? "DeleteOptions";
  if (kind !== "DeleteOptions") throw badRequest(`no kind ${toJson(kind)} is registered for version "v1"`);
  return decodeOr400(DELETE_OPTIONS, () => decodeKind(DELETE_OPTIONS, body)).object;
}

function fromQuery({ query }: ResourceRequest): JsonObject {
  const grace = graceIn(query);
  return {
    ...(grace !== undefined && { gracePeriodSeconds: grace }),
    ...(query.get("propagationPolicy") && { propagationPolicy: query.get("propagationPolicy") }),
    ...(query.get("orphanDependents") !== null && { orphanDependents: isTrue(query.get("orphanDependents")) }),
    dryRun: query.getAll("dryRun"),
  };
}

function isDryRunIn(dryRun: unknown): boolean {
  const stages = Array.isArray(dryRun) ? dryRun : [];
  if (stages.some((stage) => stage !== "All"))
    throw refused("dryRun", "NotSupported", `Unsupported value: ${toJson(stages)}: supported values: "All"`);
  return stages.length > 0;
}

function refused(field: string, problem: "NotSupported" | "Invalid", message: string): ApiError {
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `DeleteOptions.meta.k8s.io "" is invalid: ${field}: ${message}`,
    details: {
      group: "meta.k8s.io",
      kind: "DeleteOptions",
      causes: [{ reason: `FieldValue${problem}`, message, field }],
    },
  });
}

function graceIn(query: URLSearchParams): number | undefined {
  const text = query.get("gracePeriodSeconds") ?? "";
  if (text === "") return undefined;
  if (!/^-?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${toJson(text)}: invalid syntax`);
  return Number(text);
}
