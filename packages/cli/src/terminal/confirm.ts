import { createInterface } from "node:readline/promises";
import { CliError, EXIT } from "../usage/exit.ts";

/** Goes on only with a yes: by the flag, or by somebody at a terminal. */
export async function confirm(question: string, isYes: boolean): Promise<void> {
  if (isYes) return;
  if (!process.stdin.isTTY) throw new CliError(`${question} Add --yes to do it without a terminal`, EXIT.usage);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CliError("nothing was changed", EXIT.failed);
  } finally {
    terminal.close();
  }
}
