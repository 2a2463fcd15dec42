// Reads what a client sent into an object of the resource, as the real server's serialisers do.
import { parse as parseYaml } from "yaml";
import { DecodeError, type Decoded } from "../codec/go-decode.ts";
import { type ApiError, badRequest, unsupportedMediaType } from "../errors/api-error.ts";
import { apiVersionOf, type GroupVersionKind, type Resource } from "../registry/resource.ts";
import { isObject, type JsonObject, own } from "../schema/json.ts";
import type { ResourceRequest } from "../server/request.ts";
import { fieldValidationOf } from "./options.ts";
import { asText } from "../codec/text.ts";

const ACCEPTED = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

/** The body as it was sent, of whatever kind. */
export function readBody({ headers, body }: Pick<ResourceRequest, "headers" | "body">): JsonObject {
  const type = (headers["content-type"] ?? "application/json").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && type !== "application/yaml") throw unsupportedMediaType(ACCEPTED);
  return parseObject(body, type === "application/yaml");
}

export function parseObject(text: string, isYaml: boolean): JsonObject {
  const value = isYaml ? parseYamlText(text) : parseJson(text);
  if (isObject(value)) return value;
  throw badRequest(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonKind(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
  );
}

function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

function parseYamlText(text: string): unknown {
  try {
    return parseYaml(text, { maxAliasCount: 0, version: "1.1" });
  } catch (error) {
    throw badRequest(`error converting YAML to JSON: ${(error as Error).message}`);
  }
}

/** The body as an object of the requested resource, in the server's form; unknown fields as the client wants them. */
export function decodeBody(request: ResourceRequest): JsonObject {
  return decodeAs(request, request.resource, readBody(request));
}

export function decodeAs(request: ResourceRequest, resource: Resource, value: JsonObject): JsonObject {
  requireKind(resource, value);
  const decoded = decodeOr400(resource, () => resource.decode(value));
  reportUnknown(request, resource, decoded);
  return { ...decoded.object, kind: resource.kind, apiVersion: apiVersionOf(resource) };
}

export function decodeOr400(kind: GroupVersionKind, decode: () => Decoded): Decoded {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(
      `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: ${error.message}`,
    );
  }
}

export function reportUnknown(request: ResourceRequest, kind: GroupVersionKind, { unknownFields }: Decoded): void {
  const validation = fieldValidationOf(request);
  if (validation === "Ignore" || unknownFields.length === 0) return;
  const problems = unknownFields.map((field) => `unknown field ${JSON.stringify(field)}`);
  if (validation === "Warn") request.warnings.push(...problems);
  else
    throw badRequest(
      `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: strict decoding error: ${problems.join(", ")}`,
    );
}

function requireKind(resource: Resource, value: JsonObject): void {
  const kind = own(value, "kind") ?? resource.kind;
  const apiVersion = own(value, "apiVersion") ?? apiVersionOf(resource);
  if (kind === resource.kind && apiVersion === apiVersionOf(resource)) return;
  throw wrongKind(resource, asText(apiVersion), asText(kind));
}

function wrongKind(resource: Resource, apiVersion: string, kind: string): ApiError {
  const expected = `${apiVersionOf(resource)}, Kind=${resource.kind}`;
  return badRequest(
    `${kind} in version ${JSON.stringify(apiVersion)} cannot be handled as a ${resource.kind}: no kind "${kind}" is registered for version "${apiVersion}" (expected ${expected})`,
  );
}
