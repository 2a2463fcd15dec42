// `why`: the gates in order. They are in the object's status, so nothing but the Kubernetes API is asked.
import { type Command, Option } from "commander";
import { type ClusterOptions, withClient, withClusterOptions } from "../cluster-options.ts";
import { CliError, EXIT, type Finish } from "../exit.ts";
import type { Gate } from "../views/canary-line.ts";
import { findCanary } from "./canary.ts";

export function addWhy(program: Command, _finish: Finish): void {
  const command = program
    .command("why <object>")
    .description("Tell what a release waits for: `chaski why canary/NAME`.");
  withClusterOptions(command)
    .addOption(new Option("-o, --output <format>", "print the gates as data").choices(["json"]))
    .action((object: string, options: ClusterOptions) => {
      const name = nameOf(object);
      return withClient(options, async (client) => {
        const canary = await findCanary(client, options, name);
        const gates = canary.status?.gates ?? [];
        console.log(
          options.output === "json" ? JSON.stringify(gates, null, 2) : explainGates(canary.metadata.name, gates),
        );
      });
    });
}

function nameOf(object: string): string {
  const [kind, name, ...rest] = object.split("/");
  if (name && rest.length === 0 && ["canary", "canaries", "can"].includes(kind ?? "")) return name;
  throw new CliError(`${object} names nothing that can be asked about; say canary/NAME`, EXIT.usage);
}

const MARKS = { passed: "✓", waiting: "…", failed: "✗", unknown: "?" } as const;

export function explainGates(name: string, gates: readonly Gate[]): string {
  if (gates.length === 0) return `${name}: nothing was checked yet; is the operator running?`;
  const closed = gates.find(({ verdict }) => verdict !== "passed");
  const headline = closed ? `${name} waits: ${closed.message}.` : `${name} waits for nothing.`;
  return [headline, "", ...gates.flatMap(linesOf)].join("\n");
}

function linesOf({ verdict, name, message, value, threshold, unblock, earliest }: Gate): string[] {
  const numbers = value !== undefined && threshold !== undefined ? ` (${value} of ${threshold})` : "";
  const help =
    verdict === "passed" ? [] : [unblock && `      → ${unblock}`, earliest && `      not before ${earliest}`];
  return [`  ${MARKS[verdict]} ${name}: ${message}${numbers}`, ...help.filter((line) => typeof line === "string")];
}
