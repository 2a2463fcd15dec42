import type { TransportRequest } from "@chaski/kube";

/** What goes wrong, and for whom. */
export interface Fault {
  /** Which requests; absent: all. */
  readonly on?: RequestFilter;
  /** How likely it is for one of them, from 0 to 1; absent: always. */
  readonly probability?: number;
  /** How often it strikes at most; absent: for as long as it is there. */
  readonly times?: number;
  readonly effect: Effect;
}

export interface RequestFilter {
  readonly methods?: readonly TransportRequest["method"][];
  /** Matches path and query. */
  readonly path?: RegExp;
  readonly watches?: boolean;
  /** The `user-agent` or the name of the user that sent it. */
  readonly client?: string;
}

export type Effect =
  /** The answer comes this much later. */
  | { readonly kind: "latency"; readonly minMs: number; readonly maxMs: number }
  /** Refused by this code; nothing is written. */
  | { readonly kind: "status"; readonly code: 409 | 429 | 500 | 502 | 503 | 504; readonly retryAfterSeconds?: number }
  /** No answer, ever: the client's own time-out has to end it. `after`: the write has taken effect. */
  | { readonly kind: "timeout"; readonly when: "before" | "after" }
  /** The connection breaks. `after`: the write has taken effect. */
  | { readonly kind: "reset"; readonly when: "before" | "after" }
  /** A watch ends after this many events. */
  | { readonly kind: "drop-watch"; readonly afterEvents: number }
  /** Lists and watches that do not ask for a version see the state of this long ago. */
  | { readonly kind: "stale-list"; readonly byMs: number };

/** A request that never reached the server, or whose answer never reached the client. */
export class ConnectionResetError extends Error {
  override readonly name = "ConnectionResetError";
  readonly code = "ECONNRESET";
}
