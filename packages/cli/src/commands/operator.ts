import { defined } from "@chaski/kube";
import { type ObserveFormat, type OperatorSettings, runChaski, WINGS, type Wing } from "@chaski/operator";
import { type Command, InvalidArgumentError, Option } from "commander";
import { listenAddress, portNumber, wholeNumber } from "../usage/arguments.ts";
import type { Finish } from "../usage/exit.ts";
import { goBoolean } from "../usage/go-syntax.ts";
import { addReleaseFlags, type ReleaseOptions, releasesGiven, unusedFlags } from "./release-flags.ts";

interface Options extends ReleaseOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace: string;
  readonly wings: readonly Wing[];
  readonly concurrentCanaries: number;
  readonly enableLeaderElection: boolean;
  readonly healthPort: number;
  readonly metricsAddr: ReturnType<typeof listenAddress>;
  readonly webhookPort?: number;
  readonly certificates?: string;
  readonly record?: string;
  readonly config?: string;
  readonly observe?: ObserveFormat | true;
}

const METRICS_PORT = 8383;

export function addOperator(program: Command, finish: Finish, start = runChaski): void {
  const command = program
    .command("operator")
    .description("Run the operator until a signal ends it, in the cluster or outside. Go's flag syntax works too.")
    .option(
      "--kubeconfig <file>",
      "kubeconfig of the delivery cluster; otherwise the cluster we run in, KUBECONFIG, or the home folder's",
    )
    .option("--context <name>", "context of the kubeconfig")
    .option(
      "--namespace <name>",
      "namespace of the lease and of the webhooks' certificate; where Picchu runs too, its own: both share the lease",
      "chaski-system",
    )
    .option("--wings <list>", `what to run, of ${WINGS.join(",")}; all without it`, parseWings, WINGS)
    .option("--config <file>", "OperatorConfig: calendars, judges, timeouts; read anew when it changes")
    .option("--observe [format]", "write nothing, and print what would be changed: text or json", parseFormat)
    .option("--concurrent-canaries <n>", "Canaries worked on at the same time", wholeNumber(1, 9_999), 2)
    .option("--enable-leader-election [bool]", "of several replicas only one acts", goBoolean, true)
    .option("--no-enable-leader-election", "act without asking others: for a single process only")
    .option("--health-port <port>", "port of /healthz, /readyz and /metrics", portNumber, 8081)
    .addOption(
      new Option("--metrics-addr <address>", "address of /metrics alone; 0 for none")
        .argParser(listenAddress)
        .default({ port: METRICS_PORT }, `:${METRICS_PORT}`),
    )
    .option("--webhook-port <port>", "port of the admission webhooks; none without it", portNumber)
    .option("--certificates <folder>", "tls.crt and tls.key for the webhooks, renewed by somebody else (cert-manager)")
    .option("--record <folder>", "record every pass as NDJSON, for replay");
  addReleaseFlags(command.optionsGroup("Releases:")).action(async (options: Options) =>
    finish(await start(settingsOf(options, command))),
  );
}

function settingsOf(options: Options, command: Command): OperatorSettings {
  const { wings, namespace, concurrentCanaries, healthPort, metricsAddr: address, observe } = options;
  const isDefault = command.getOptionValueSource("metricsAddr") === "default";
  return {
    wings,
    namespace,
    concurrentCanaries,
    healthPort,
    isLeaderElected: options.enableLeaderElection,
    releases: releasesGiven(options),
    warnings: unusedFlags(command).map((flag) => `--${flag} has no effect: nothing uses it any more`),
    ...defined({
      kubeconfig: options.kubeconfig,
      context: options.context,
      metricsAddress: address === false ? undefined : { ...address, isDefault },
      webhookPort: options.webhookPort,
      certificateFolder: options.certificates,
      recordFolder: options.record,
      configFile: options.config,
      observe: observe === true ? "text" : observe,
    }),
  };
}

function parseFormat(text: string): ObserveFormat {
  if (text === "text" || text === "json") return text;
  throw new InvalidArgumentError("it must be text or json.");
}

export function parseWings(text: string): readonly Wing[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !WINGS.some((wing) => wing === name));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`there is no wing ${unknown.join(", ")}; there are ${WINGS.join(", ")}.`);
  return WINGS.filter((wing) => names.includes(wing));
}
