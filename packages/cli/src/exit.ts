export const EXIT = { ok: 0, failed: 1, usage: 2, notFound: 3 } as const;

/** Ends the command with this message and code. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

export type Finish = (exitCode: number) => void;
