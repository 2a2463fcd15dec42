// `list`: every release in a row.
import { ReleaseManager } from "@chaski/api/kinds";
import type { Command } from "commander";
import { type ClusterOptions, withClusterOptions, withOutput, withSession } from "../cluster-options.ts";
import type { Finish } from "../exit.ts";
import { columnsOf, print } from "../screen.ts";
import { releaseOf } from "../views/release.ts";
import { byName, drawList } from "../views/release-list.ts";

interface Options extends ClusterOptions {
  readonly allNamespaces: boolean;
}

export function addList(program: Command, _finish: Finish): void {
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
        const releases = items.map(releaseOf).toSorted(byName);
        print(drawList(releases, { columns: columnsOf(process.stdout), nowMs: clock.now() }));
      }),
    );
}
