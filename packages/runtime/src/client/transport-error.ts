import {
  ApiError,
  type Attempted,
  CertificateRejected,
  ClusterUnreachable,
  ConnectionLost,
  CredentialsUnavailable,
} from "./errors.ts";
import { isWrite } from "./status-error.ts";

/** A transport that has given up on its cluster for now; nothing was sent. */
export class CircuitOpenError extends Error {
  readonly code = "CIRCUIT_OPEN";
}

/** The connection never came to be, so the request was not executed. */
const NOT_CONNECTED = new Set([
  "ECONNREFUSED",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "NotLeading",
  "UND_ERR_CLOSED",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_PRX_CONN",
]);

/** What a connection gives that the server closed while it lay in the pool. */
const CLOSED_BY_PEER = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

const CERTIFICATE_CODES = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** What a transport threw, as a typed error that says whether the request may have been executed. */
export function errorFromTransport(attempted: Attempted, thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const codes = codesOf(thrown);
  const code = codes[0] ?? "no code";
  // The transport could not even start: a certificate file or a plugin failed, and its own error says so best.
  if (thrown instanceof Error && code.startsWith("KUBECONFIG_")) {
    return new CredentialsUnavailable(attempted, { message: thrown.message, cause: thrown });
  }
  if (thrown instanceof CircuitOpenError)
    return new ClusterUnreachable(attempted, { message: thrown.message, cause: thrown });
  if (codes.some((code) => CERTIFICATE_CODES.has(code) || code.startsWith("ERR_SSL_"))) {
    return new CertificateRejected(attempted, { message: certificateMessage(code, attempted), cause: thrown });
  }
  return new ConnectionLost(attempted, {
    message: `the connection failed (${code})`,
    cause: thrown,
    isOutcomeUnknown: isWrite(attempted) && !codes.some((code) => NOT_CONNECTED.has(code)),
    isStaleConnection: codes.some((code) => CLOSED_BY_PEER.has(code)),
  });
}

function certificateMessage(code: string, { cluster, origin = `cluster ${cluster}` }: Attempted): string {
  return `TLS failed (${code}); check the certificate authority, the client certificate and the server name of ${origin}`;
}

/** The codes of an error and of what caused it, outermost first; all of those that were tried for one host. */
function codesOf(thrown: unknown, depth = 0): readonly string[] {
  if (!(thrown instanceof Error) || depth > 4) return [];
  const own = "code" in thrown && typeof thrown.code === "string" ? [thrown.code] : [];
  const tried = thrown instanceof AggregateError ? thrown.errors : [];
  return [...own, ...[...tried, thrown.cause].flatMap((inner) => codesOf(inner, depth + 1))];
}
