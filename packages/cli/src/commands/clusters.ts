// `clusters`: the fleet as people handle it.
import { Cluster, ReleaseManager, releaseKeys } from "@chaski/api/kinds";
import { NotFound } from "@chaski/runtime/connect";
import type { Command } from "commander";
import {
  type ClusterOptions,
  FIELD_MANAGER,
  type Session,
  withClusterOptions,
  withOutput,
  withSession,
} from "../cluster/cluster-options.ts";
import { didYouMean } from "../usage/did-you-mean.ts";
import { CliError, EXIT } from "../usage/exit.ts";
import { examples } from "../usage/help.ts";
import { columnsOf, print, report } from "../terminal/print.ts";
import { clusterRow, drawClusters } from "../views/clusters.ts";

export function addClusters(program: Command): void {
  const clusters = program
    .command("clusters")
    .description("The fleet: show it, add to it, set a cluster aside, clean up.")
    .helpCommand(false);
  const add = (usage: string, about: string): Command =>
    withOutput(withClusterOptions(clusters.command(usage).description(about)));

  add("status", "Every cluster: whether it can be reached, its version, how many releases it has.").action(
    (options: ClusterOptions) => withSession(options, (session) => status(session, options)),
  );
  add("join <name>", "Add a cluster to a fleet: writes a Cluster, and a Secret with the credentials of a context.")
    .addHelpText(
      "after",
      examples("clusters join eu-1 --fleet production --from-kubeconfig eu-1.yaml --from-context admin"),
    )
    .requiredOption("--fleet <fleet>", "the fleet that it becomes part of")
    .requiredOption("--from-kubeconfig <file>", "kubeconfig that has the new cluster")
    .option("--from-context <name>", "its context in that file; the current one without it")
    .option("--standby", "it gets every object but counts for nothing", false)
    .option("-y, --yes", "do not ask", false)
    .action(async (name: string, options: JoinOptions) => {
      const { join } = await import("./clusters-join.ts");
      await withSession(options, (session) => join(session, name, options));
    });
  add("quarantine <name>", "Let no release wait for this cluster while it can't be observed.")
    .addHelpText(
      "after",
      examples('clusters quarantine eu-1 --reason "its network is down"', "clusters quarantine eu-1 --off"),
    )
    .option("--off", "it counts again", false)
    .option("--reason <text>", "why; needed to begin a quarantine")
    .action((name: string, options: QuarantineOptions) =>
      withSession(options, (session) => quarantine(session, name, options)),
    );
  add("sweep", "List what releases that no longer exist have left on the clusters; --yes removes it.")
    .option("--delivery <name>", "the name by which the operator marks its objects", "delivery")
    .option("-y, --yes", "remove it", false)
    .action(async (options: SweepOptions) => {
      const { sweep } = await import("./clusters-sweep.ts");
      await withSession(options, (session) => sweep(session, options));
    });
}

export interface JoinOptions extends ClusterOptions {
  readonly fleet: string;
  readonly fromKubeconfig: string;
  readonly fromContext?: string;
  readonly standby: boolean;
  readonly yes: boolean;
}

export interface SweepOptions extends ClusterOptions {
  readonly delivery: string;
  readonly yes: boolean;
}

interface QuarantineOptions extends ClusterOptions {
  readonly off: boolean;
  readonly reason?: string;
}

async function status({ client, namespace, clock }: Session, { output }: ClusterOptions): Promise<void> {
  const [clusters, releases] = await Promise.all([
    client.of(Cluster).list({ namespace }),
    client.of(ReleaseManager).list({ namespace }),
  ]);
  if (output === "json") return console.log(JSON.stringify(clusters.items, null, 2));
  const fleetOf = ({ metadata }: Cluster): string | undefined => metadata.labels?.[releaseKeys.labels.fleet];
  const rows = clusters.items.map((cluster) =>
    clusterRow(cluster, releases.items.filter(({ spec }) => spec.fleet === fleetOf(cluster)).length),
  );
  print(drawClusters(rows, { columns: columnsOf(process.stdout), nowMs: clock.now() }));
}

async function quarantine(session: Session, name: string, options: QuarantineOptions): Promise<void> {
  const { off, reason } = options;
  if (!off && reason === undefined) throw new CliError("say why with --reason; --off ends a quarantine", EXIT.usage);
  const annotations = { [releaseKeys.annotations.quarantine]: off ? null : reason };
  const key = { namespace: session.namespace, name };
  const clusters = session.client.of(Cluster);
  const changed = await clusters
    .patch(key, "merge", { metadata: { annotations } }, { fieldManager: FIELD_MANAGER })
    .catch(async (error: unknown) => {
      if (error instanceof NotFound && !error.isKindMissing) throw await noCluster(session, name);
      throw error;
    });
  const sentence = off
    ? `${name} counts again: releases wait for it while it can't be observed.`
    : `${name} is in quarantine: no release waits for it. \`chaski clusters quarantine ${name} --off\` ends it.`;
  report(options, changed, sentence);
}

async function noCluster({ client, namespace }: Session, name: string): Promise<CliError> {
  const names = (await client.of(Cluster).list({ namespace })).items.map(({ metadata }) => metadata.name);
  const hint =
    didYouMean(name, names) || (names.length > 0 ? `; there are ${names.slice(0, 10).join(", ")}` : "; there are none");
  return new CliError(`there is no Cluster ${name} in namespace ${namespace}${hint}`, EXIT.notFound);
}
