// Webhooks: the mutating ones one after the other, then the validating ones all at once.
import { objectsAt, stringAt } from "../schema/fields.ts";
import { evaluateMatchConditions, type MatchCondition } from "../cel/index.ts";
import { ApiError, internalError } from "../errors/api-error.ts";
import { jsonPatch } from "../merge/index.ts";
import { apiVersionOf } from "../registry/resource.ts";
import { isObject, type JsonObject } from "../schema/json.ts";
import type { Api } from "../request/api.ts";
import { newUid } from "../storage/new-uid.ts";
import { isDryRun } from "../request/options.ts";
import type { Admission } from "./admission.ts";
import { type AdmissionResponse, callWebhook } from "./webhook-call.ts";

/** The object as the webhooks left it. */
export async function mutate(
  api: Api,
  webhooks: readonly JsonObject[],
  admission: Admission,
): Promise<JsonObject | undefined> {
  let { object } = admission;
  for (const webhook of webhooks) {
    const response = await ask(api, webhook, { ...admission, object });
    if (response?.patch) object = patched(webhook, admission, object, response.patch);
  }
  return object;
}

/** Throws the first refusal. */
export async function validateBy(api: Api, webhooks: readonly JsonObject[], admission: Admission): Promise<void> {
  await Promise.all(webhooks.map((webhook) => ask(api, webhook, admission)));
}

function patched(
  webhook: JsonObject,
  { request }: Admission,
  object: JsonObject | undefined,
  patch: string,
): JsonObject {
  try {
    const operations: unknown = JSON.parse(Buffer.from(patch, "base64").toString());
    const result = jsonPatch(object, operations);
    if (!isObject(result)) throw new Error("the patched object is no object");
    const { kind } = request.resource;
    return { ...request.resource.decode(result).object, kind, apiVersion: apiVersionOf(request.resource) };
  } catch (error) {
    throw internalError(`admission webhook ${JSON.stringify(stringAt(webhook, "name"))}: ${(error as Error).message}`);
  }
}

/** Undefined: the webhook does not want to know, or failed and that does not matter. */
async function ask(api: Api, webhook: JsonObject, admission: Admission): Promise<AdmissionResponse | undefined> {
  const name = stringAt(webhook, "name");
  const review = reviewOf(api, admission);
  if (!wants(webhook, admission, review)) return undefined;
  const answer = await callWebhook(api, webhook, review).catch((error: unknown) => error as Error);
  if (answer instanceof Error) {
    if (webhook["failurePolicy"] === "Ignore") return undefined;
    throw internalError(`failed calling webhook ${JSON.stringify(name)}: ${answer.message}`);
  }
  admission.request.warnings.push(...(answer.warnings ?? []));
  if (!answer.allowed) throw denial(name, answer);
  return answer;
}

function wants(webhook: JsonObject, { object, live }: Admission, request: JsonObject): boolean {
  const conditions = objectsAt(webhook, "matchConditions").map(
    (condition): MatchCondition => ({
      name: stringAt(condition, "name"),
      expression: stringAt(condition, "expression"),
    }),
  );
  if (conditions.length === 0) return true;
  const verdict = evaluateMatchConditions(conditions, { object: object ?? null, oldObject: live ?? null, request });
  if ("matches" in verdict) return verdict.matches;
  if (webhook["failurePolicy"] === "Ignore") return false;
  throw internalError(`failed calling webhook ${JSON.stringify(stringAt(webhook, "name"))}: ${verdict.error}`);
}

function denial(name: string, { status = {} }: AdmissionResponse): ApiError {
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`;
  const because = status.message || status.reason;
  const message = because ? `${denied}: ${because}` : `${denied} without explanation`;
  const code = (status.code ?? 0) < 400 ? 400 : (status.code ?? 400);
  return new ApiError({ code, ...(status.reason && { reason: status.reason }), message });
}

function reviewOf(api: Api, { request, operation, object, live }: Admission): JsonObject {
  const { resource, subresource, namespace, name, user } = request;
  const kind = { group: resource.group, version: resource.version, kind: resource.kind };
  const plural = { group: resource.group, version: resource.version, resource: resource.plural };
  const objectName = name ?? stringAt(object, "metadata", "name");
  return {
    uid: newUid(api.random),
    kind,
    resource: plural,
    ...(subresource && { subResource: subresource.name, requestSubResource: subresource.name }),
    requestKind: kind,
    requestResource: plural,
    ...(objectName && { name: objectName }),
    ...(namespace !== undefined && { namespace }),
    operation,
    userInfo: { username: user.name, ...(user.uid && { uid: user.uid }), groups: user.groups },
    object: object ?? null,
    oldObject: live ?? null,
    dryRun: isDryRun(request),
    options: { kind: `${operation[0]}${operation.slice(1).toLowerCase()}Options`, apiVersion: "meta.k8s.io/v1" },
  };
}
