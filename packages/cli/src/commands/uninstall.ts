// `uninstall`: the operator goes, what it released stays. Tells what it would do until it is told --yes.
import type { Command } from "commander";
import { type ClusterOptions, withClusterOptions, withSession } from "../cluster-options.ts";
import type { Finish } from "../exit.ts";

interface Options extends ClusterOptions {
  readonly crds: boolean;
  readonly yes: boolean;
}

export function addUninstall(program: Command, _finish: Finish): void {
  const command = program
    .command("uninstall")
    .description("Remove the operator and leave the workloads running; shows what would go until --yes is given.")
    .option("--crds", "remove the CRDs too, and with them every release's memory", false)
    .option("--yes", "do it", false);
  withClusterOptions(command, "chaski-system").action((options: Options) =>
    withSession(options, async ({ client, namespace }) => {
      const { uninstallSteps } = await import("../uninstall/steps.ts");
      const { crds, yes } = options;
      for (const { what, run } of await uninstallSteps(client, { namespace, hasCrds: crds })) {
        console.log(`${yes ? "" : "would "}${what}`);
        if (yes) await run();
      }
      console.log(yes ? "The operator is gone; workloads were not touched." : "\nNothing was done: add --yes.");
    }),
  );
}
