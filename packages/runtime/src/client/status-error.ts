import {
  AlreadyExists,
  type ApiError,
  type Attempted,
  BadRequest,
  Conflict,
  Forbidden,
  Gone,
  Invalid,
  type InvalidCause,
  NotFound,
  type Problem,
  ServerError,
  Timeout,
  TooManyRequests,
  Unauthorized,
  UnsupportedMediaType,
} from "./errors.ts";

/** The server's own account of a failure. Every field may be missing, or be of another shape, in a proxy's answer. */
export interface Status {
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly name?: string;
    readonly kind?: string;
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly Partial<InvalidCause>[];
  };
}

export interface Answer {
  readonly status: number;
  readonly retryAfterMs?: number;
  /** Undefined when the body is no Status: a proxy's page, or the server's plain "404 page not found". */
  readonly body?: Status;
}

const DEFAULT_RETRY_AFTER_MS = 1_000;
const MESSAGE_MAX = 1_000;

type Maker = (attempted: Attempted, problem: Problem, answer: Answer) => ApiError;

const BY_STATUS: Readonly<Record<number, Maker>> = {
  401: (attempted, problem) => new Unauthorized(attempted, problem),
  403: (attempted, problem) => new Forbidden(attempted, problem),
  404: (attempted, problem, { body }) =>
    new NotFound(attempted, { ...problem, isKindMissing: body?.details === undefined }),
  406: (attempted, problem) => new UnsupportedMediaType(attempted, problem),
  409: (attempted, problem, { body }) =>
    body?.reason === "AlreadyExists" ? new AlreadyExists(attempted, problem) : new Conflict(attempted, problem),
  410: (attempted, problem) => new Gone(attempted, problem),
  415: (attempted, problem) => new UnsupportedMediaType(attempted, problem),
  422: (attempted, problem, answer) => new Invalid(attempted, { ...problem, causes: causesOf(answer) }),
  429: (attempted, problem, answer) =>
    new TooManyRequests(attempted, { ...problem, retryAfterMs: retryAfterMs(answer) ?? DEFAULT_RETRY_AFTER_MS }),
  504: (attempted, problem) => new Timeout(attempted, { ...problem, isOutcomeUnknown: isWrite(attempted) }),
};

/** Classified by status code and `reason`, never by text. */
export function errorFromAnswer(attempted: Attempted, answer: Answer, credentialHint = ""): ApiError {
  const make = BY_STATUS[answer.status] ?? (answer.status < 500 ? badRequest : serverError);
  const problem = problemOf(attempted, answer);
  if (answer.status !== 401) return make(attempted, problem, answer);
  const origin = attempted.origin === undefined ? "" : ` of ${attempted.origin}`;
  const message = `the server refused the credentials${origin}${credentialHint} (401 Unauthorized)`;
  return make(attempted, { ...problem, message }, answer);
}

const badRequest: Maker = (attempted, problem) => new BadRequest(attempted, problem);

const serverError: Maker = (attempted, problem, answer) => {
  const delayMs = retryAfterMs(answer);
  return new ServerError(attempted, delayMs === undefined ? problem : { ...problem, retryAfterMs: delayMs });
};

export function isWrite({ verb }: Attempted): boolean {
  return verb === "create" || verb === "update" || verb === "patch" || verb === "delete";
}

function problemOf(attempted: Attempted, { status, body }: Answer): Problem {
  const label = body?.reason === undefined || body.reason === "" ? `${status}` : `${status} ${body.reason}`;
  const text = mayQuoteContent(attempted, status) ? fieldsOf(body) : (body?.message ?? "").slice(0, MESSAGE_MAX);
  const message = text === "" ? `the server answered ${label}` : `${text} (${label})`;
  return body?.reason === undefined ? { message, status } : { message, status, serverReason: body.reason };
}

/** What the server says of a refused Secret can quote its data. */
function mayQuoteContent({ kind }: Attempted, status: number): boolean {
  return kind?.kind === "Secret" && kind.group === "" && (status === 400 || status === 422 || status >= 500);
}

function fieldsOf(body: Status | undefined): string {
  const fields = (body?.details?.causes ?? []).flatMap(({ field }) => field ?? []);
  return fields.length === 0 ? "" : `refused fields: ${fields.join(", ")}`;
}

function causesOf({ body }: Answer): readonly InvalidCause[] {
  const causes = body?.details?.causes ?? [];
  return causes.map(({ field = "", reason = "", message = "" }) => ({ field, reason, message }));
}

function retryAfterMs({ retryAfterMs, body }: Answer): number | undefined {
  const seconds = body?.details?.retryAfterSeconds;
  return retryAfterMs ?? (seconds === undefined || seconds === 0 ? undefined : seconds * 1_000);
}
