// `list`: every release in a row.
import { ReleaseManager } from "@chaski/api/kinds";
import type { Client } from "@chaski/runtime/connect";
import type { Command } from "commander";
import { type ClusterOptions, withClusterOptions, withOutput, withSession } from "../cluster-options.ts";
import { columnsOf, print } from "../screen.ts";
import { releaseOf } from "../views/release.ts";
import { byName, drawList, drawNothing } from "../views/release-list.ts";

interface Options extends ClusterOptions {
  readonly allNamespaces: boolean;
}

export function addList(program: Command): void {
  const command = program
    .command("list")
    .alias("ls")
    .description("Every release: app, target, newest tag, state, traffic, what it waits for, age.");
  withOutput(withClusterOptions(command))
    .option("-A, --all-namespaces", "of every namespace", false)
    .action((options: Options) =>
      withSession(options, async ({ client, namespace, clock }) => {
        const { items } = await client.of(ReleaseManager).list(options.allNamespaces ? {} : { namespace });
        if (options.output === "json") return console.log(JSON.stringify(items, null, 2));
        const elsewhere = items.length === 0 ? await otherNamespaces(client) : [];
        const releases = items.map(releaseOf).toSorted(byName);
        const frame = { columns: columnsOf(process.stdout), nowMs: clock.now() };
        print(releases.length > 0 ? drawList(releases, frame) : drawNothing(namespace, elsewhere, frame));
      }),
    );
}

/** Where there are some, if we may look. */
async function otherNamespaces(client: Client): Promise<readonly string[]> {
  const everywhere = await client
    .of(ReleaseManager)
    .list({})
    .catch(() => ({ items: [] as ReleaseManager[] }));
  return [...new Set(everywhere.items.map(({ metadata }) => metadata.namespace ?? ""))].toSorted();
}
