// `get`: one app, all that its status tells.
import type { Command } from "commander";
import { type ClusterOptions, withClusterOptions, withOutput, withSession } from "../cluster-options.ts";
import type { Finish } from "../exit.ts";
import { findReleases } from "../find-release.ts";
import { columnsOf, print } from "../screen.ts";
import { line } from "../views/line.ts";
import { releaseOf } from "../views/release.ts";
import { drawTree } from "../views/release-tree.ts";

export function addGet(program: Command, _finish: Finish): void {
  const command = program
    .command("get <app[/target]>")
    .description("Show an app, or one of its targets: revisions, clusters, traffic, pods, gates.");
  withOutput(withClusterOptions(command)).action((name: string, options: ClusterOptions) =>
    withSession(options, async (session) => {
      const found = await findReleases(session, name);
      if (options.output === "json") return console.log(JSON.stringify(found, null, 2));
      const frame = { columns: columnsOf(process.stdout), nowMs: session.clock.now() };
      const trees = found.map((each) => drawTree(releaseOf(each), frame));
      print(trees.flatMap((tree, index) => (index === 0 ? tree : [line(""), ...tree])));
    }),
  );
}
