export interface Finding {
  readonly verdict: "failed" | "ok" | "unknown" | "warning";
  /** What was looked at: `CRD revisions`, `cluster eu-1`. */
  readonly subject: string;
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
}

export function ok(subject: string, message: string): Finding {
  return { verdict: "ok", subject, message };
}

export function failed(subject: string, message: string, fix: string): Finding {
  return { verdict: "failed", subject, message, fix };
}

export function warning(subject: string, message: string, fix: string): Finding {
  return { verdict: "warning", subject, message, fix };
}

/** A check that can't be made. */
export function unknown(subject: string, reason: string): Finding {
  return { verdict: "unknown", subject, message: "could not be looked at", fix: reason };
}
