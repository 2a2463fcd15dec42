import { describeRef, type Key, type Kind } from "@chaski/kube";

/** What a reconcile does about an error: try again soon, wait for something outside, or stop until the object changes. */
export type NextStep = "retry" | "wait" | "stall";

export type ErrorReason =
  | "AlreadyExists"
  | "BadRequest"
  | "CertificateRejected"
  | "ClusterUnreachable"
  | "Conflict"
  | "ConnectionLost"
  | "CredentialsUnavailable"
  | "Forbidden"
  | "Gone"
  | "Invalid"
  | "MalformedResponse"
  | "NotFound"
  | "ServerError"
  | "Timeout"
  | "TooManyRequests"
  | "Unauthorized"
  | "UnsupportedMediaType";

const NEXT_STEP: Readonly<Record<ErrorReason, NextStep>> = {
  AlreadyExists: "retry",
  BadRequest: "stall",
  CertificateRejected: "wait",
  ClusterUnreachable: "wait",
  Conflict: "retry",
  ConnectionLost: "retry",
  CredentialsUnavailable: "wait",
  Forbidden: "wait",
  Gone: "retry",
  Invalid: "stall",
  MalformedResponse: "retry",
  NotFound: "retry",
  ServerError: "retry",
  Timeout: "retry",
  TooManyRequests: "wait",
  Unauthorized: "wait",
  UnsupportedMediaType: "stall",
};

/** What was being done when it failed. */
export interface Attempted {
  readonly cluster: string;
  /** As RBAC names it: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`. */
  readonly verb: string;
  readonly kind?: Kind;
  readonly key?: Key;
  readonly subresource?: string;
  readonly path?: string;
  /** Where server and credentials come from: `context west of /root/.kube/config`. */
  readonly origin?: string;
}

export interface Problem {
  /** One clause for people; never holds a credential. */
  readonly message: string;
  readonly status?: number;
  /** `reason` of the server's Status. */
  readonly serverReason?: string;
  readonly cause?: unknown;
}

/** Any failure of a call. Told apart by class or by `reason`, never by text. */
export class ApiError extends Error {
  readonly reason: ErrorReason;
  /** Stable, for logs and searches: `KUBE_NOT_FOUND`. */
  readonly code: string;
  readonly next: NextStep;
  readonly attempted: Attempted;
  readonly status: number | undefined;
  readonly serverReason: string | undefined;
  /** The message without what was being attempted, for whoever says that in other words. */
  readonly problem: string;

  constructor(reason: ErrorReason, attempted: Attempted, problem: Problem) {
    super(`${describeAttempt(attempted)}: ${problem.message}`, { cause: problem.cause });
    this.name = reason;
    this.reason = reason;
    this.code = `KUBE${reason.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
    this.next = NEXT_STEP[reason];
    this.attempted = attempted;
    this.problem = problem.message;
    this.status = problem.status;
    this.serverReason = problem.serverReason;
  }
}

/** What is wrong, in a clause. */
export function problemOf(error: unknown): string {
  if (error instanceof ApiError) return error.problem;
  return error instanceof Error ? error.message : String(error);
}

export class NotFound extends ApiError {
  /** The server does not know the kind (or the path) at all; otherwise it is this one object that is missing. */
  readonly isKindMissing: boolean;

  constructor(attempted: Attempted, problem: Problem & { readonly isKindMissing: boolean }) {
    super("NotFound", attempted, problem);
    this.isKindMissing = problem.isKindMissing;
  }
}

export class Conflict extends ApiError {
  constructor(attempted: Attempted, problem: Problem) {
    super("Conflict", attempted, problem);
  }
}

export class AlreadyExists extends ApiError {
  constructor(attempted: Attempted, problem: Problem) {
    super("AlreadyExists", attempted, problem);
  }
}

/** The resourceVersion or the continue token is too old: list again. */
export class Gone extends ApiError {
  constructor(attempted: Attempted, problem: Problem) {
    super("Gone", attempted, problem);
  }
}

export class Forbidden extends ApiError {
  constructor(attempted: Attempted, problem: Problem) {
    super("Forbidden", attempted, problem);
  }
}

export class Unauthorized extends ApiError {
  constructor(attempted: Attempted, problem: Problem) {
    super("Unauthorized", attempted, problem);
  }
}

export interface InvalidCause {
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

export class Invalid extends ApiError {
  readonly causes: readonly InvalidCause[];

  constructor(attempted: Attempted, problem: Problem & { readonly causes: readonly InvalidCause[] }) {
    super("Invalid", attempted, problem);
    this.causes = problem.causes;
  }
}

/** The server did not execute the request. */
export class TooManyRequests extends ApiError {
  readonly retryAfterMs: number;

  constructor(attempted: Attempted, problem: Problem & { readonly retryAfterMs: number }) {
    super("TooManyRequests", attempted, problem);
    this.retryAfterMs = problem.retryAfterMs;
  }
}

interface MaybeExecuted extends Problem {
  readonly isOutcomeUnknown: boolean;
}

export class Timeout extends ApiError {
  /** A write that may have been executed nevertheless. */
  readonly isOutcomeUnknown: boolean;

  constructor(attempted: Attempted, problem: MaybeExecuted) {
    super("Timeout", attempted, problem);
    this.isOutcomeUnknown = problem.isOutcomeUnknown;
  }
}

export class ConnectionLost extends ApiError {
  /** A write that may have been executed nevertheless. */
  readonly isOutcomeUnknown: boolean;
  /** The server had closed a connection that we kept open; a new one may do. */
  readonly isStaleConnection: boolean;

  constructor(attempted: Attempted, problem: MaybeExecuted & { readonly isStaleConnection: boolean }) {
    super("ConnectionLost", attempted, problem);
    this.isOutcomeUnknown = problem.isOutcomeUnknown;
    this.isStaleConnection = problem.isStaleConnection;
  }
}

/** The server's certificate is not one that our CA vouches for, or it refused ours. */
export class CertificateRejected extends ApiError {
  constructor(attempted: Attempted, problem: Problem) {
    super("CertificateRejected", attempted, problem);
  }
}

/** The circuit to the cluster is open: nothing was sent. */
export class ClusterUnreachable extends ApiError {
  constructor(attempted: Attempted, problem: Problem) {
    super("ClusterUnreachable", attempted, problem);
  }
}

/** No token could be had: nothing was sent. */
export class CredentialsUnavailable extends ApiError {
  constructor(attempted: Attempted, problem: Problem) {
    super("CredentialsUnavailable", attempted, problem);
  }
}

export class BadRequest extends ApiError {
  constructor(attempted: Attempted, problem: Problem) {
    super("BadRequest", attempted, problem);
  }
}

export class UnsupportedMediaType extends ApiError {
  constructor(attempted: Attempted, problem: Problem) {
    super("UnsupportedMediaType", attempted, problem);
  }
}

export class ServerError extends ApiError {
  /** Given when the server named a time: it did not execute the request. */
  readonly retryAfterMs: number | undefined;

  constructor(attempted: Attempted, problem: Problem & { readonly retryAfterMs?: number }) {
    super("ServerError", attempted, problem);
    this.retryAfterMs = problem.retryAfterMs;
  }
}

export class MalformedResponse extends ApiError {
  constructor(attempted: Attempted, problem: Problem) {
    super("MalformedResponse", attempted, problem);
  }
}

/** Whether a write may have been executed although it failed. */
export function isOutcomeUnknown(error: unknown): boolean {
  return (error instanceof Timeout || error instanceof ConnectionLost) && error.isOutcomeUnknown;
}

function describeAttempt({ cluster, verb, kind, key, subresource, path }: Attempted): string {
  const what = kind === undefined ? (path ?? "") : key === undefined ? kind.plural : describeRef({ kind, ...key });
  return `cluster ${cluster}: ${verb} ${what}${subresource === undefined ? "" : `/${subresource}`}`;
}
