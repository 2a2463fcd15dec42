// `list`: every release and every Canary in a row.
import type { Client } from "@chaski/runtime/connect";
import type { Command } from "commander";
import { type ClusterOptions, withClusterOptions, withOutput, withSession } from "../cluster/cluster-options.ts";
import { listEverything } from "../cluster/everything.ts";
import { columnsOf, print } from "../terminal/print.ts";
import { drawEverything } from "../views/everything.ts";
import { byName, drawNothing } from "../views/release-list.ts";

interface Options extends ClusterOptions {
  readonly allNamespaces: boolean;
}

export function addList(program: Command): void {
  const command = program
    .command("list")
    .alias("ls")
    .description("Every release: app, target, newest tag, state, traffic, what it waits for, age; and every Canary.");
  withOutput(withClusterOptions(command))
    .option("-A, --all-namespaces", "of every namespace", false)
    .action((options: Options) =>
      withSession(options, async ({ client, namespace, clock }) => {
        const everything = await listEverything(client, options.allNamespaces ? {} : { namespace });
        const { releases, canaries } = everything;
        if (options.output === "json") return console.log(JSON.stringify([...releases, ...canaries], null, 2));
        const frame = { columns: columnsOf(process.stdout), nowMs: clock.now() };
        const isEmpty = releases.length + canaries.length === 0;
        if (isEmpty) print(drawNothing(namespace, await otherNamespaces(client), frame));
        else print(drawEverything(everything, frame, byName));
      }),
    );
}

/** Where there are some, if we may look. */
async function otherNamespaces(client: Client): Promise<readonly string[]> {
  const { releases, canaries } = await listEverything(client, {}).catch(() => ({ releases: [], canaries: [] }));
  return [...new Set([...releases, ...canaries].map(({ metadata }) => metadata.namespace ?? ""))].toSorted();
}
