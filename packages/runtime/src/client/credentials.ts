/** What proves who we are, fetched anew when it has expired. */
export interface Credentials {
  /** The `authorization` header; undefined where a client certificate (or nothing) says who we are. */
  authorization(signal: AbortSignal): Promise<string | undefined>;
  /** The server refused what we sent: forget it. False when nothing else can be had, so that a retry is pointless. */
  refuse(authorization: string | undefined): boolean;
}

/** Whom to act as, on behalf of a user who may `impersonate`. */
export interface Identity {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
