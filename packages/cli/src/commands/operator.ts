import { defined } from "@chaski/kube";
import { runChaski, WINGS, type Wing } from "@chaski/operator";
import { type Command, InvalidArgumentError } from "commander";
import { portNumber, wholeNumber } from "../arguments.ts";
import type { Finish } from "../exit.ts";

interface Options {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace: string;
  readonly wings: readonly Wing[];
  readonly concurrentCanaries: number;
  readonly enableLeaderElection: boolean;
  readonly healthPort: number;
  readonly webhookPort?: number;
  readonly certificates?: string;
  readonly record?: string;
}

export function addOperator(program: Command, finish: Finish): void {
  program
    .command("operator")
    .description("Run the operator until a signal ends it, in the cluster or outside.")
    .option(
      "--kubeconfig <file>",
      "kubeconfig of the delivery cluster; otherwise the cluster we run in, KUBECONFIG, or the home folder's",
    )
    .option("--context <name>", "context of the kubeconfig")
    .option("--namespace <name>", "namespace of the lease and of the webhooks' certificate", "chaski-system")
    .option("--wings <list>", `what to run, separated by commas: ${WINGS.join(", ")}`, parseWings, WINGS)
    .option("--concurrent-canaries <n>", "Canaries worked on at the same time", wholeNumber(1, 9_999), 2)
    .option("--enable-leader-election", "of several replicas only one acts", true)
    .option("--no-enable-leader-election", "act without asking others: for a single process only")
    .option("--health-port <port>", "port of /healthz, /readyz and /metrics", portNumber, 8081)
    .option("--webhook-port <port>", "port of the admission webhooks; none without it", portNumber)
    .option("--certificates <folder>", "tls.crt and tls.key for the webhooks, renewed by somebody else (cert-manager)")
    .option("--record <folder>", "record every pass as NDJSON, for replay")
    .action(async (options: Options) => {
      const { enableLeaderElection, certificates, record, ...rest } = options;
      const settings = { ...rest, isLeaderElected: enableLeaderElection };
      finish(await runChaski({ ...settings, ...defined({ certificateFolder: certificates, recordFolder: record }) }));
    });
}

export function parseWings(text: string): readonly Wing[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !WINGS.some((wing) => wing === name));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`there is no wing ${unknown.join(", ")}; there are ${WINGS.join(", ")}.`);
  return WINGS.filter((wing) => names.includes(wing));
}
