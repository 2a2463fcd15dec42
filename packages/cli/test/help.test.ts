// Help is read by people.
import type { Command } from "commander";
import { expect, test } from "vitest";
import { wholeProgram } from "./program.ts";

const program = await wholeProgram();

function all(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(all)];
}

test("says nothing that a reader has to skip", () => {
  const texts = all(program).map((command) => command.helpInformation());
  expect(texts.join("\n")).not.toMatch(/default: (false|""|\[)|choices: "json"|display help/);
});

test("a command on a cluster tells first what it is about, and what is needed", () => {
  const pause = program.commands.find((command) => command.name() === "pause");
  expect(pause?.helpInformation()).toBe(`Usage: chaski pause [options] <app[/target]>

Promote nothing until it is resumed; a roll-back still runs.

Options:
  --reason <text>         why; \`chaski why\` shows it (needed)
  -o, --output <format>   json prints the objects
  -h, --help              show this

Which cluster:
  --kubeconfig <file>     kubeconfig to use; otherwise KUBECONFIG, the home
                          folder's, or the cluster we run in
  --context <name>        context of the kubeconfig
  -n, --namespace <name>  namespace; otherwise the context's
`);
});
