import { basename } from "node:path";
import { VERSION } from "@chaski/operator/version";
import { Command, CommanderError } from "commander";
import { type CommandEntry, COMMANDS } from "./commands.ts";
import { EXIT, EXIT_HELP } from "./usage/exit.ts";
import { withTwoDashes } from "./usage/go-syntax.ts";
import { helpStyle } from "./usage/help.ts";

/** Runs one command line; the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  let code: number = EXIT.ok;
  const program = createProgram();
  await addCommands(program, chosenBy(args), (exitCode) => void (code = exitCode));
  try {
    const given = args[0] === "operator" ? withTwoDashes(args) : args;
    await program.parseAsync([...given], { from: "user" });
    return code;
  } catch (error) {
    return explain(error);
  }
}

export function createProgram(): Command {
  const isPlugin = basename(process.argv[1] ?? "").startsWith("kubectl-chaski");
  return new Command(isPlugin ? "kubectl chaski" : "chaski")
    .description("Progressive delivery for Kubernetes fleets.")
    .version(VERSION, "--version", "print the version")
    .exitOverride()
    .showHelpAfterError("(add --help for usage)")
    .configureHelp(helpStyle)
    .helpOption("-h, --help", "show this")
    .addHelpCommand(new Command("help").argument("[command]").description("help of one command").helpGroup("Help:"))
    .addHelpText("after", `\n${EXIT_HELP}`);
}

/** Only the chosen command is loaded: the others are a name and a line of help. */
export async function addCommands(
  program: Command,
  isChosen: (name: string) => boolean,
  finish: (exitCode: number) => void,
): Promise<void> {
  for (const [name, entry] of Object.entries(COMMANDS)) {
    if (isChosen(name)) (await entry.load())(program, finish);
    else stub(program, name, entry);
    program.commands.at(-1)?.helpGroup(entry.group);
  }
}

function stub(program: Command, name: string, { about }: CommandEntry): void {
  program.command(name).description(about);
}

/** The first word that is no option; `help why` means why. */
function chosenBy(args: readonly string[]): (name: string) => boolean {
  const words = args.filter((each) => !each.startsWith("-"));
  const chosen = words[0] === "help" ? words[1] : words[0];
  return (name) => name === chosen;
}

/** One sentence that says what to do; the stack only where the fault is ours. */
async function explain(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const { explanationOf } = await import("./cluster/explain.ts");
  const { complain } = await import("./terminal/print.ts");
  const { message, exitCode } = explanationOf(error);
  complain(`chaski: ${message}`);
  return exitCode;
}
