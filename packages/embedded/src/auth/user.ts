export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Who the process itself is: all in-process clients that do not say otherwise. */
export const ADMIN: User = { name: "admin", groups: ["system:masters", "system:authenticated"] };
