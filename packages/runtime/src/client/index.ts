export type * from "./client.ts";
export { type ClientSettings, createClient } from "./create-client.ts";
export type { Credentials, Identity } from "./credentials.ts";
export {
  AlreadyExists,
  ApiError,
  type Attempted,
  BadRequest,
  CertificateRejected,
  ClusterUnreachable,
  Conflict,
  ConnectionLost,
  CredentialsUnavailable,
  type ErrorReason,
  Forbidden,
  Gone,
  Invalid,
  type InvalidCause,
  isOutcomeUnknown,
  MalformedResponse,
  type NextStep,
  NotFound,
  ServerError,
  Timeout,
  TooManyRequests,
  Unauthorized,
  UnsupportedMediaType,
} from "./errors.ts";
export type { RequestNote } from "./requester.ts";
export { CircuitOpenError } from "./transport-error.ts";
export { type Endpoint, type TlsMaterial, undiciTransport } from "./undici-transport.ts";
