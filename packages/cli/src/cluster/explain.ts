// An error as one sentence that says what to do.
import { ApiError, type Attempted, KubeconfigError, NotFound } from "@chaski/runtime/connect";
import { CliError, EXIT } from "../usage/exit.ts";

export interface Explanation {
  readonly message: string;
  readonly exitCode: number;
}

export function explanationOf(error: unknown): Explanation {
  if (error instanceof CliError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof ApiError) return { message: apiSentence(error), exitCode: codeOf(error) };
  const message = error instanceof Error ? error.message : String(error);
  return { message, exitCode: error instanceof KubeconfigError ? EXIT.unreachable : EXIT.failed };
}

const UNREACHABLE: ReadonlySet<string> = new Set([
  "CertificateRejected",
  "ClusterUnreachable",
  "ConnectionLost",
  "CredentialsUnavailable",
  "Timeout",
  "Unauthorized",
]);

function codeOf(error: ApiError): number {
  if (error instanceof NotFound) return EXIT.notFound;
  if (error.reason === "Forbidden") return EXIT.forbidden;
  return UNREACHABLE.has(error.reason) ? EXIT.unreachable : EXIT.failed;
}

function apiSentence(error: ApiError): string {
  const { attempted, reason } = error;
  const origin = attempted.origin ?? `cluster ${attempted.cluster}`;
  if (error instanceof NotFound && error.isKindMissing) return missingKind(attempted, origin);
  switch (reason) {
    case "Unauthorized":
      return `the server refused the credentials of ${origin} (expired?): log in again, or choose another context by --context`;
    case "Forbidden":
      return `you may not ${attempted.verb} ${resourceOf(attempted)} with ${origin}: ask for that right, or choose another context by --context`;
    case "ConnectionLost":
    case "ClusterUnreachable":
    case "Timeout":
      return `the server of ${origin} does not answer (${causeOf(error)}): check that it runs and can be reached from here, or choose another context by --context`;
    default:
      return error.message;
  }
}

function missingKind({ kind }: Attempted, origin: string): string {
  const what = kind ? `${kind.kind}s`.replace(/ys$/, "ies") : "such objects";
  return `the cluster of ${origin} knows no ${what}: choose the delivery cluster by --context, or install Chaski there: \`chaski install | kubectl apply --server-side -f -\``;
}

function resourceOf({ kind, key, subresource }: Attempted): string {
  const plural = kind?.plural ?? "this";
  const where = key?.namespace === undefined ? "" : ` in namespace ${key.namespace}`;
  return `${plural}${subresource === undefined ? "" : `/${subresource}`}${where}`;
}

/** The code of the connection's failure, where there is one. */
function causeOf(error: ApiError): string {
  return /\(([A-Z_]+)\)/.exec(error.message)?.[1] ?? (error.reason === "Timeout" ? "time-out" : "connection lost");
}
