export const EXIT = { ok: 0, failed: 1, usage: 2, notFound: 3, forbidden: 4, unreachable: 5 } as const;

export const EXIT_HELP =
  "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 not allowed,\n5 the cluster can't be reached.";

/** Ends the command with this message and code. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

export type Finish = (exitCode: number) => void;
