import { ApiError } from "../errors/api-error.ts";
import { decodeKind } from "../registry/builtin.ts";
import type { JsonObject } from "../schema/json.ts";
import { isTrue, type ResourceRequest } from "../server/request.ts";
import { decodeOr400, readBody } from "./body.ts";
import { positiveInteger } from "./options.ts";
import { asText } from "../codec/text.ts";

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
    throw invalidOptions(
      "propagationPolicy",
      `Unsupported value: ${JSON.stringify(propagationPolicy)}: supported values: "Background", "Foreground", "Orphan"`,
      "FieldValueNotSupported",
    );
  if (propagationPolicy !== undefined && orphanDependents !== undefined)
    throw invalidOptions(
      "propagationPolicy",
      `Invalid value: ${JSON.stringify(propagationPolicy)}: orphanDependents and deletionPropagation cannot be both set`,
    );
  const policy = propagationPolicy ?? legacyPolicy(orphanDependents);
  const isDryRun = Array.isArray(dryRun) && dryRun.includes("All");
  return { ...sent, ...(policy !== undefined && { propagationPolicy: policy }), isDryRun } as DeleteOptions;
}

function legacyPolicy(orphanDependents: unknown): string | undefined {
  if (orphanDependents === undefined) return undefined;
  return orphanDependents === true ? "Orphan" : "Background";
}

function fromBody(request: ResourceRequest): JsonObject {
  const body = readBody(request);
  return decodeOr400(DELETE_OPTIONS, () => decodeKind(DELETE_OPTIONS, body)).object;
}

function fromQuery({ query }: ResourceRequest): JsonObject {
  const grace = positiveInteger(query.get("gracePeriodSeconds"), "gracePeriodSeconds");
  return {
    ...(grace !== undefined && { gracePeriodSeconds: grace }),
    ...(query.get("propagationPolicy") && { propagationPolicy: query.get("propagationPolicy") }),
    ...(query.get("orphanDependents") !== null && { orphanDependents: isTrue(query.get("orphanDependents")) }),
    dryRun: query.getAll("dryRun"),
  };
}

function invalidOptions(field: string, message: string, reason = "FieldValueInvalid"): ApiError {
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `DeleteOptions.meta.k8s.io "" is invalid: ${field}: ${message}`,
    details: { group: "meta.k8s.io", kind: "DeleteOptions", causes: [{ reason, message, field }] },
  });
}
