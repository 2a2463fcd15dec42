import { VERSION } from "@chaski/operator";
import { Command, CommanderError } from "commander";
import { addApiserver } from "./commands/apiserver.ts";
import { addCanary } from "./commands/canary.ts";
import { addLint } from "./commands/lint.ts";
import { addOperator } from "./commands/operator.ts";
import { addUp } from "./commands/up.ts";
import { addWhy } from "./commands/why.ts";
import { CliError, EXIT } from "./exit.ts";
import { withTwoDashes } from "./go-syntax.ts";

/** Runs one command line; the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  let code: number = EXIT.ok;
  const program = new Command("chaski")
    .description("Progressive delivery for Kubernetes fleets.")
    .version(VERSION, "--version", "print the version")
    .exitOverride()
    .showHelpAfterError("(add --help for usage)")
    .addHelpText(
      "after",
      `\nExit codes: ${EXIT.ok} done, ${EXIT.failed} failed, ${EXIT.usage} wrong usage, ${EXIT.notFound} not found.`,
    );
  const finish = (exitCode: number): void => void (code = exitCode);
  for (const add of [addOperator, addApiserver, addCanary, addWhy, addLint, addUp]) add(program, finish);
  try {
    const given = args[0] === "operator" ? withTwoDashes(args) : args;
    await program.parseAsync([...given], { from: "user" });
    return code;
  } catch (error) {
    return explain(error);
  }
}

/** One sentence that says what to do; the stack only where the fault is ours. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  console.error(`chaski: ${error instanceof Error ? error.message : String(error)}`);
  return error instanceof CliError ? error.exitCode : EXIT.failed;
}
