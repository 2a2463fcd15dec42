import { apiVersionOf, type KubeObject } from "@chaski/kube";
import type { Admission, AdmissionHandler, Reviewed } from "./admission.ts";
import { jsonPatch } from "./json-patch.ts";

/** What can't be answered because of how it was asked. */
export class BadReviewError extends Error {
  readonly code = "BadReview";
}

interface ReviewRequest {
  readonly uid: string;
  readonly kind?: { readonly group?: string; readonly version?: string; readonly kind?: string };
  readonly operation: Admission<KubeObject>["operation"];
  readonly object?: KubeObject | null;
  readonly oldObject?: KubeObject | null;
  readonly namespace?: string;
  readonly name?: string;
  readonly subResource?: string;
  readonly userInfo?: Admission<KubeObject>["user"];
  readonly dryRun?: boolean;
  readonly options?: { readonly propagationPolicy?: Admission<KubeObject>["propagation"] } | null;
}

const API_VERSION = "admission.k8s.io/v1";
const OPERATIONS = new Set(["CREATE", "UPDATE", "DELETE", "CONNECT"]);

/** The whole answer to an AdmissionReview, given the handler of its path. */
export async function review(body: string, handler: AdmissionHandler, signal: AbortSignal): Promise<object> {
  const request = parseReview(body);
  checkKind(request, handler);
  const admission: Admission<KubeObject> = {
    operation: request.operation,
    object: request.object ?? undefined,
    old: request.oldObject ?? undefined,
    namespace: request.namespace,
    name: request.name,
    subresource: request.subResource,
    user: request.userInfo ?? {},
    isDryRun: request.dryRun ?? false,
    propagation: request.options?.propagationPolicy,
    signal,
  };
  const reviewed = await handler.review(admission);
  return {
    apiVersion: API_VERSION,
    kind: "AdmissionReview",
    response: { uid: request.uid, ...answerOf(reviewed, admission.object) },
  };
}

function answerOf({ verdict, mutated }: Reviewed, object: KubeObject | undefined): object {
  const warnings = verdict.warnings && verdict.warnings.length > 0 ? { warnings: verdict.warnings } : {};
  if (!verdict.isAllowed)
    return { allowed: false, status: { code: 422, reason: "Invalid", message: verdict.message }, ...warnings };
  const patch = mutated === undefined ? [] : jsonPatch(object, mutated);
  if (patch.length === 0) return { allowed: true, ...warnings };
  const encoded = Buffer.from(JSON.stringify(patch)).toString("base64");
  return { allowed: true, patchType: "JSONPatch", patch: encoded, ...warnings };
}

function parseReview(body: string): ReviewRequest {
  const { apiVersion, kind, request } = parseObject(body);
  if (kind !== "AdmissionReview") throw new BadReviewError("the body is not an AdmissionReview");
  if (apiVersion !== API_VERSION)
    throw new BadReviewError(`AdmissionReview ${JSON.stringify(apiVersion)} is not served; ask with ${API_VERSION}`);
  if (!isReviewRequest(request)) throw new BadReviewError("the AdmissionReview has no request with uid and operation");
  return request;
}

function parseObject(body: string): Readonly<Record<string, unknown>> {
  const value = parseJson(body);
  if (typeof value !== "object" || value === null) throw new BadReviewError("the body is not a JSON object");
  return value as Readonly<Record<string, unknown>>;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new BadReviewError("the body is not JSON", { cause });
  }
}

function isReviewRequest(value: unknown): value is ReviewRequest {
  if (typeof value !== "object" || value === null) return false;
  const { uid, operation } = value as Partial<ReviewRequest>;
  return typeof uid === "string" && typeof operation === "string" && OPERATIONS.has(operation);
}

/** A webhook configuration that sends another kind here would be typed wrongly from here on. */
function checkKind({ kind: asked = {} }: ReviewRequest, { kind, path }: AdmissionHandler): void {
  const { group = "", version = "", kind: name = "" } = asked;
  if (name === kind.kind && group === kind.group && version === kind.version) return;
  const sent = `${name} ${apiVersionOf({ group, version })}`;
  throw new BadReviewError(`${path} reviews ${kind.kind} ${apiVersionOf(kind)}, and was sent ${sent}`);
}
