// Reads what a client sent into an object of the resource, as the real server's serialisers do.
import { parse as parseYaml } from "yaml";
import { DecodeError, type Decoded } from "../codec/go-decode.ts";
import { type ApiError, badRequest, invalid, unsupportedMediaType } from "../errors/api-error.ts";
import { apiVersionOf, type GroupVersionKind, type Resource } from "../registry/resource.ts";
import { at } from "../schema/fields.ts";
import { type Cause, isObject, type JsonObject, own, parseJson } from "../schema/index.ts";
import { parseJsonLenient } from "../schema/parse-json.ts";
import type { ResourceRequest } from "../request/request.ts";
import { fieldValidationOf } from "../request/options.ts";
import { asText, toJson } from "../codec/text.ts";

const ACCEPTED = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

/** The body as it was sent, of whatever kind. */
export function readBody({ headers, body }: Pick<ResourceRequest, "headers" | "body">): JsonObject {
  const type = (headers["content-type"] ?? "application/json").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && type !== "application/yaml") throw unsupportedMediaType(ACCEPTED);
  return parseObject(body, type === "application/yaml");
}

export function parseObject(text: string, isYaml: boolean): JsonObject {
  const value = isYaml ? parseYamlOrJson(text) : parseJsonText(text);
  if (isObject(value)) return value;
  if (value === null) return {};
  throw badRequest(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonKind(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
  );
}

function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

function parseJsonText(text: string): unknown {
  try {
    return parseJsonLenient(text);
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

/** Most who may send YAML send JSON, which is YAML too and read much faster. */
function parseYamlOrJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return parseYamlText(text);
  try {
    return parseJsonLenient(text);
  } catch {
    return parseYamlText(text);
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
  const { resource } = request;
  return decodeAs(request, resource, resource.decode);
}

/** The same for what an endpoint takes that is not the resource itself, such as its scale. */
export function decodeAs(
  request: ResourceRequest,
  kind: GroupVersionKind & { readonly isCustom?: boolean },
  decode: Resource["decode"],
): JsonObject {
  const value = readBody(request);
  requireKind(kind, value);
  const decoded = decodeOr400(kind, () => decode(value));
  const duplicateFields = duplicatesIn(request, value);
  reportUnknown(request, kind, { ...decoded, duplicateFields });
  if (!kind.isCustom) keepReset(value, decoded.object);
  return { ...decoded.object, kind: kind.kind, apiVersion: apiVersionOf(kind) };
}

/** Looked for only where the text has more keys than the object that came of it. */
function duplicatesIn({ headers, body }: ResourceRequest, value: JsonObject): readonly string[] {
  if (headers["content-type"]?.includes("yaml")) return [];
  const inText = body.match(/"\s*:/g)?.length ?? 0;
  return inText === countKeys(value) ? [] : parseJson(body).duplicateFields;
}

function countKeys(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countKeys(item), 0);
  if (!isObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, child) => sum + 1 + countKeys(child), 0);
}

export function decodeOr400(kind: GroupVersionKind, decode: () => Decoded): Decoded {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw cannotBeHandled(kind, error.message, { cause: error });
  }
}

/** No managers at all is a request to forget them, not a field that was left out. */
export function keepReset(sent: JsonObject, decoded: JsonObject): void {
  const managedFields = at(sent, "metadata", "managedFields");
  const metadata = own(decoded, "metadata");
  if (Array.isArray(managedFields) && managedFields.length === 0 && isObject(metadata)) metadata["managedFields"] = [];
}

type Problems = Pick<Decoded, "unknownFields"> & { readonly duplicateFields?: readonly string[] };

export function reportUnknown(request: ResourceRequest, kind: GroupVersionKind, found: Problems): void {
  const validation = fieldValidationOf(request);
  const problems = [
    ...(found.duplicateFields ?? []).map((field) => `duplicate field ${toJson(field)}`),
    ...found.unknownFields.map((field) => `unknown field ${toJson(field)}`),
  ];
  if (validation === "Ignore" || problems.length === 0) return;
  if (validation === "Warn") request.warnings.push(...problems);
  else {
    const because = `strict decoding error: ${problems.join(", ")}`;
    throw cannotBeHandled(kind, because, { cause: new DecodeError(because) });
  }
}

function cannotBeHandled({ kind, version }: GroupVersionKind, because: string, options?: ErrorOptions): ApiError {
  return badRequest(`${kind} in version ${toJson(version)} cannot be handled as a ${kind}: ${because}`, options);
}

/** Built-in kinds may be left out; custom ones not. */
function requireKind(expected: GroupVersionKind & { readonly isCustom?: boolean }, value: JsonObject): void {
  const [kind, apiVersion] = [asText(own(value, "kind")), asText(own(value, "apiVersion"))];
  if (expected.isCustom) return requireCustomKind(expected, { kind, apiVersion, value });
  const isRight =
    (kind === "" || kind === expected.kind) && (apiVersion === "" || apiVersion === apiVersionOf(expected));
  if (isRight) return;
  const registered = `no kind ${toJson(kind)} is registered for version ${toJson(apiVersion)}`;
  throw badRequest(`the object provided is unrecognized (must be of type ${expected.kind}): ${registered}`);
}

interface Claimed {
  readonly kind: string;
  readonly apiVersion: string;
  readonly value: JsonObject;
}

function requireCustomKind(expected: GroupVersionKind, { kind, apiVersion, value }: Claimed): void {
  if (kind === "")
    throw badRequest(
      `the object provided is unrecognized (must be of type ${expected.kind}): Object 'Kind' is missing in '${toJson(value)}'`,
    );
  if (apiVersion !== apiVersionOf(expected))
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${apiVersionOf(expected)})`,
    );
  if (kind === expected.kind) return;
  const cause: Cause = {
    field: "kind",
    reason: "FieldValueInvalid",
    message: `Invalid value: ${toJson(kind)}: must be ${expected.kind}`,
  };
  throw invalid({ group: expected.group, kind }, asText(at(value, "metadata", "name")), [cause]);
}
