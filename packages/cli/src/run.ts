import { VERSION } from "@chaski/operator/version";
import { Command, CommanderError } from "commander";
import { CliError, EXIT, type Finish } from "./exit.ts";
import { withTwoDashes } from "./go-syntax.ts";

type AddCommand = (program: Command, finish: Finish) => void;

/** Only the command that runs is loaded; all of them for who asks what there is. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  operator: async () => (await import("./commands/operator.ts")).addOperator,
  apiserver: async () => (await import("./commands/apiserver.ts")).addApiserver,
  canary: async () => (await import("./commands/canary.ts")).addCanary,
  why: async () => (await import("./commands/why.ts")).addWhy,
  lint: async () => (await import("./commands/lint.ts")).addLint,
  up: async () => (await import("./commands/up.ts")).addUp,
  install: async () => (await import("./commands/install.ts")).addInstall,
  uninstall: async () => (await import("./commands/uninstall.ts")).addUninstall,
};

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
  const [name = ""] = args;
  const wanted = Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]] : Object.values(COMMANDS);
  for (const load of wanted) (await load?.())?.(program, finish);
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
