// `get`: one app, all that its status tells.
import type { Canary } from "@chaski/api/kinds";
import type { Command } from "commander";
import { type ClusterOptions, withClusterOptions, withOutput, withSession } from "../cluster/cluster-options.ts";
import { canaryNameIn, findCanary } from "../cluster/find-canary.ts";
import { findReleases } from "../cluster/find-release.ts";
import { columnsOf, print } from "../terminal/print.ts";
import { canaryStanding } from "../views/canary-line.ts";
import { drawWhy } from "../views/gates.ts";
import { type Frame, line } from "../views/line.ts";
import { releaseOf } from "../views/release.ts";
import { drawTree } from "../views/release-tree.ts";

export function addGet(program: Command): void {
  const command = program
    .command("get <app[/target]>")
    .description("Show an app, one of its targets, or canary/NAME: revisions, clusters, traffic, pods, gates.");
  withOutput(withClusterOptions(command)).action((name: string, options: ClusterOptions) =>
    withSession(options, async (session) => {
      const frame = { columns: columnsOf(process.stdout), nowMs: session.clock.now() };
      const canary = canaryNameIn(name);
      if (canary !== undefined) return showCanary(await findCanary(session, canary), options, frame);
      const found = await findReleases(session, name);
      if (options.output === "json") return console.log(JSON.stringify(found, null, 2));
      const trees = found.map((each) => drawTree(releaseOf(each), frame));
      print(trees.flatMap((tree, index) => (index === 0 ? tree : [line(""), ...tree])));
    }),
  );
}

function showCanary(canary: Canary, { output }: ClusterOptions, frame: Frame): void {
  if (output === "json") console.log(JSON.stringify([canary], null, 2));
  else print(drawWhy(canaryStanding(canary), frame));
}
