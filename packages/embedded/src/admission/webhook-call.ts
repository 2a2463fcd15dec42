// One call of one webhook, over HTTPS as the real server makes it.
import type { Agent } from "undici";
import { numberAt, objectAt, stringAt } from "../schema/fields.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Api } from "../request/api.ts";

export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: { readonly code?: number; readonly message?: string; readonly reason?: string };
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
}

/** Throws with the reason when there is no answer, or none that can be understood. */
export async function callWebhook(api: Api, webhook: JsonObject, request: JsonObject): Promise<AdmissionResponse> {
  const client = objectAt(webhook, "clientConfig") ?? {};
  const url = urlOf(api, client);
  using deadline = api.clock.deadline(1_000 * (numberAt(webhook, "timeoutSeconds") ?? 10));
  // Loaded with the first webhook: most clusters have none, and it is half of what a start would load.
  const undici = await import("undici");
  const agent = new undici.Agent(agentOptions(client));
  try {
    const response = await undici.request(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1", request }),
      signal: deadline.signal,
      dispatcher: agent,
    });
    const text = await response.body.text();
    if (response.statusCode !== 200)
      throw new Error(
        `an error on the server (${JSON.stringify(text.trim())}) has prevented the request from succeeding`,
      );
    return readReview(text, stringAt(request, "uid"));
  } catch (cause) {
    throw new Error(`failed to call webhook: Post ${JSON.stringify(url)}: ${(cause as Error).message}`, { cause });
  } finally {
    await agent.close();
  }
}

function urlOf(api: Api, client: JsonObject): string {
  const url = stringAt(client, "url");
  if (url !== "") return url;
  const service = objectAt(client, "service") ?? {};
  const [namespace, name, path] = [
    stringAt(service, "namespace"),
    stringAt(service, "name"),
    stringAt(service, "path"),
  ];
  const base = api.serviceUrl(namespace, name, numberAt(service, "port") ?? 443);
  if (base === undefined)
    throw new Error(`failed to call webhook: no endpoints available for service ${JSON.stringify(name)}`);
  return `${base}${path}`;
}

function agentOptions(client: JsonObject): Agent.Options {
  const ca = stringAt(client, "caBundle");
  const service = objectAt(client, "service");
  const servername = service ? `${stringAt(service, "name")}.${stringAt(service, "namespace")}.svc` : undefined;
  return { connect: { ...(ca && { ca: Buffer.from(ca, "base64").toString() }), ...(servername && { servername }) } };
}

function readReview(text: string, uid: string): AdmissionResponse {
  const review = JSON.parse(text) as { response?: AdmissionResponse };
  const { response } = review;
  if (!response) throw new Error("webhook response was absent");
  if (response.uid !== uid)
    throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid)}`);
  return response;
}
