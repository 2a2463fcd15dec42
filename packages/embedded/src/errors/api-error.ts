// The Status objects that the real server answers with, word for word.
import type { Cause } from "../schema/cause.ts";
import { toJson } from "../codec/text.ts";

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  readonly retryAfterSeconds?: number;
}

export interface Status {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: StatusDetails;
}

/** Ends a request with a Status. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: Status;

  constructor(status: Status, options?: ErrorOptions) {
    super(status.message, options);
    this.status = status;
  }

  /** As it goes over the wire. */
  body(): object {
    const { code, reason, message, details } = this.status;
    return {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      ...(reason && { reason }),
      ...(details && { details }),
      code,
    };
  }
}

/** A resource (`deployments` in `apps`) as errors name it. */
export interface ResourceRef {
  readonly group: string;
  readonly plural: string;
}

function qualified(group: string, name: string): string {
  return group === "" ? name : `${name}.${group}`;
}

function detailsOf({ group, plural }: ResourceRef, name: string): StatusDetails {
  return { ...(name && { name }), ...(group && { group }), kind: plural };
}

export function notFound(resource: ResourceRef, name: string): ApiError {
  const message = `${qualified(resource.group, resource.plural)} ${toJson(name)} not found`;
  return new ApiError({ code: 404, reason: "NotFound", message, details: detailsOf(resource, name) });
}

/** The path names nothing that is served. */
export function noSuchResource(): ApiError {
  const message = "the server could not find the requested resource";
  return new ApiError({ code: 404, reason: "NotFound", message, details: {} });
}

export function alreadyExists(resource: ResourceRef, name: string): ApiError {
  const message = `${qualified(resource.group, resource.plural)} ${toJson(name)} already exists`;
  return new ApiError({ code: 409, reason: "AlreadyExists", message, details: detailsOf(resource, name) });
}

export function conflict(resource: ResourceRef, name: string, because: string): ApiError {
  const of = `${qualified(resource.group, resource.plural)} ${toJson(name)}`;
  const message = `Operation cannot be fulfilled on ${of}: ${because}`;
  return new ApiError({ code: 409, reason: "Conflict", message, details: detailsOf(resource, name) });
}

export const MODIFIED = "the object has been modified; please apply your changes to the latest version and try again";

export function invalid(kind: { group: string; kind: string }, name: string, causes: readonly Cause[]): ApiError {
  const errors = causes.map((cause) => (cause.field === "" ? cause.message : `${cause.field}: ${cause.message}`));
  const aggregate = errors.length === 1 ? errors[0] : `[${[...new Set(errors)].join(", ")}]`;
  const message = `${qualified(kind.group, kind.kind)} ${toJson(name)} is invalid: ${aggregate}`;
  const details = {
    ...(name && { name }),
    ...(kind.group && { group: kind.group }),
    ...(kind.kind && { kind: kind.kind }),
    causes: causes.map(({ reason, message, field }) => ({ reason, message, field })),
  };
  return new ApiError({ code: 422, reason: "Invalid", message, details });
}

export function badRequest(message: string, options?: ErrorOptions): ApiError {
  return new ApiError({ code: 400, reason: "BadRequest", message }, options);
}

export function methodNotAllowed(): ApiError {
  const message = "the server does not allow this method on the requested resource";
  return new ApiError({ code: 405, reason: "MethodNotAllowed", message, details: {} });
}

export function forbidden(resource: ResourceRef, name: string, because: string): ApiError {
  const of = qualified(resource.group, resource.plural);
  const message = name === "" ? `${of} is forbidden: ${because}` : `${of} ${toJson(name)} is forbidden: ${because}`;
  return new ApiError({ code: 403, reason: "Forbidden", message, details: detailsOf(resource, name) });
}

export function unauthorized(): ApiError {
  return new ApiError({ code: 401, reason: "Unauthorized", message: "Unauthorized" });
}

export function notAcceptable(accepted: string): ApiError {
  const message = `only the following media types are accepted: ${accepted}`;
  return new ApiError({ code: 406, reason: "NotAcceptable", message });
}

export function unsupportedMediaType(accepted: string): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted}`;
  return new ApiError({ code: 415, reason: "UnsupportedMediaType", message });
}

export function gone(message: string): ApiError {
  return new ApiError({ code: 410, reason: "Expired", message });
}

export function tooLarge(message: string): ApiError {
  return new ApiError({ code: 413, reason: "RequestEntityTooLarge", message });
}

export function internalError(because: string): ApiError {
  const message = `Internal error occurred: ${because}`;
  return new ApiError({ code: 500, reason: "InternalError", message, details: { causes: [{ message: because }] } });
}
