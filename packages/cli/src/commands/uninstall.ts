// `uninstall`: the operator goes, what it released stays. Tells what it would do until it is told --yes.
import type { Command } from "commander";
import { type ClusterOptions, withClusterOptions, withOutput, withSession } from "../cluster/cluster-options.ts";
import { operatorHome } from "../cluster/operator-home.ts";

interface Options extends ClusterOptions {
  readonly crds: boolean;
  readonly yes: boolean;
}

const NOTHING = "Nothing of the operator is here; --kubeconfig and --context choose another cluster.";
const UNDONE = "\nNothing was done: add --yes.";

export function addUninstall(program: Command): void {
  const command = program
    .command("uninstall")
    .description("Remove the operator and leave the workloads running; shows what would go until --yes is given.")
    .option("--crds", "remove the CRDs too, and with them every release's memory", false)
    .option("--yes", "do it", false);
  withOutput(withClusterOptions(command, "the operator's"), "json prints the steps").action((options: Options) =>
    withSession(options, async ({ client }) => {
      const { uninstallSteps } = await import("../uninstall/steps.ts");
      const namespace = options.namespace ?? (await operatorHome(client));
      const { crds, yes, output } = options;
      const tell = (text: string): void => void (output === "json" || console.log(text));
      const steps = await uninstallSteps(client, { namespace, hasCrds: crds });
      for (const { what, run } of steps) {
        tell(`${yes ? "" : "would "}${what}`);
        if (yes) await run();
      }
      tell(steps.length === 0 ? NOTHING : yes ? "The operator is gone; workloads were not touched." : UNDONE);
      if (output === "json") console.log(JSON.stringify({ done: yes, steps: steps.map(({ what }) => what) }, null, 2));
    }),
  );
}
