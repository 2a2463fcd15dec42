/** Days and hours on which nothing is released. */
export interface Calendar {
  /** The schedule names that it speaks for; none: all of them. */
  readonly schedules?: readonly string[];
  /** An IANA zone in which day, weekday and hour are taken. Without it: days in UTC, hours in Los Angeles (§11). */
  readonly zone?: string;
  /** Days, `2026-12-24`. */
  readonly holidays?: readonly string[];
  /** Whether the federal holidays of the United States count too. */
  readonly isUsFederal?: boolean;
  readonly freezes?: readonly Freeze[];
}

export interface Freeze {
  /** RFC 3339. */
  readonly start: string;
  readonly end: string;
  readonly reason?: string;
}
