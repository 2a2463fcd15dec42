// `completion`: a script for the shell. Names of apps are asked of the cluster at the moment of completing.
import { Argument, type Command } from "commander";

const SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  canary: ["status", "approve", "retreat", "rollback"],
  clusters: ["status", "join", "quarantine", "sweep"],
  completion: ["bash", "zsh", "fish"],
};
/** Those whose first argument is a release. */
const NAMING = ["get", "watch", "why", "fail", "rollback", "promote", "pause", "resume"];
const APPS = `chaski list -o json 2>/dev/null | sed -n 's/^ *"app": "\\(.*\\)",$/\\1/p' | sort -u`;

export function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("Print a script that completes commands and app names.")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS)))
    .addHelpText("after", HOW_TO_LOAD)
    .action((shell: string) => console.log(SCRIPTS[shell]?.(program.commands)));
}

const HOW_TO_LOAD = `
bash:  source <(chaski completion bash)
zsh:   source <(chaski completion zsh)
fish:  chaski completion fish | source`;

function bashScript(commands: readonly Command[]): string {
  const names = commands.map((command) => command.name()).join(" ");
  const cases = Object.entries(SUBCOMMANDS).map(([name, words]) => `    ${name}) words="${words.join(" ")}" ;;`);
  return `_chaski() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="${names}"
  elif [ "$COMP_CWORD" -eq 2 ]; then case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    ${NAMING.join("|")}) words="$(${APPS})" ;;
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _chaski chaski`;
}

function zshScript(commands: readonly Command[]): string {
  return `autoload -Uz bashcompinit && bashcompinit\n${bashScript(commands)}`;
}

function fishScript(commands: readonly Command[]): string {
  const top = commands.map(
    (each) => `complete -c chaski -n __fish_use_subcommand -a ${each.name()} -d ${quoted(each.description())}`,
  );
  const below = Object.entries(SUBCOMMANDS).map(
    ([name, words]) => `complete -c chaski -n '__fish_seen_subcommand_from ${name}' -a '${words.join(" ")}'`,
  );
  const apps = `complete -c chaski -n '__fish_seen_subcommand_from ${NAMING.join(" ")}' -a ${quoted(`(${APPS})`)}`;
  return ["complete -c chaski -f", ...top, ...below, apps].join("\n");
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

const SCRIPTS: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
