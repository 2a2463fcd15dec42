// Picchu's flags, under their own names (§13), and ours of the same wing.
import { formatDuration } from "@chaski/kube";
import { RELEASES_DEFAULTS, type ReleasesGiven } from "@chaski/operator";
import { type Command, Option } from "commander";
import { durationMs, portNumber, webAddress, wholeNumber } from "../usage/arguments.ts";
import { goBoolean } from "../usage/go-syntax.ts";

export interface ReleaseOptions {
  readonly syncPeriodSeconds: number;
  readonly prometheusQueryAddress: string;
  readonly prometheusQueryTtl: number;
  readonly prometheusEnabled: boolean;
  readonly humaneReleasesEnabled: boolean;
  readonly serviceLevelsNamespace: string;
  readonly concurrentRevisions: number;
  readonly concurrentReleaseManagers: number;
  readonly devRoutesServiceHost: string;
  readonly devRoutesServicePort: number;
  readonly clusterPrometheusAddress: string;
  readonly rampMode: "autoscaler" | "replicaset";
  readonly drain: number;
  readonly orphanGrace: number;
  readonly cleanupTimeout: number;
  readonly judgeUntilPercent?: number;
}

/** Accepted for the sake of old command lines. */
const UNUSED = ["manage-route53", "service-levels-fleet", "slack-query-ttl"];

export function addReleaseFlags(command: Command): Command {
  addOwnFlags(addPicchuFlags(command));
  for (const flag of UNUSED) command.addOption(new Option(`--${flag} [value]`).hideHelp());
  return command;
}

export function unusedFlags(command: Command): readonly string[] {
  const given = command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === "cli");
  return given.map((option) => option.name()).filter((name) => UNUSED.includes(name));
}

export function releasesGiven(options: ReleaseOptions): ReleasesGiven {
  return {
    flags: {
      isHumaneReleasesEnabled: options.humaneReleasesEnabled,
      serviceLevelsNamespace: options.serviceLevelsNamespace,
      devRoutesServiceHost: options.devRoutesServiceHost,
      devRoutesServicePort: options.devRoutesServicePort,
      clusterPrometheusAddress: options.clusterPrometheusAddress,
      rampMode: options.rampMode,
      drainMs: options.drain,
      orphanGraceMs: options.orphanGrace,
      cleanupTimeoutMs: options.cleanupTimeout,
    },
    prometheusAddress: options.prometheusEnabled ? options.prometheusQueryAddress : "",
    prometheusTtlMs: options.prometheusQueryTtl,
    concurrentRevisions: options.concurrentRevisions,
    concurrentReleaseManagers: options.concurrentReleaseManagers,
    syncPeriodMs: options.syncPeriodSeconds * 1_000,
    ...(options.judgeUntilPercent === undefined ? {} : { judgeUntilPercent: options.judgeUntilPercent }),
  };
}

function addPicchuFlags(command: Command): Command {
  const { flags, ...defaults } = RELEASES_DEFAULTS;
  const { concurrentRevisions, concurrentReleaseManagers, syncPeriodMs, prometheusTtlMs } = defaults;
  const workers = wholeNumber(1, 9_999);
  return command
    .option(
      "--sync-period-seconds <n>",
      "how often everything is looked at anyway",
      wholeNumber(1, 86_400),
      syncPeriodMs / 1_000,
    )
    .option("--prometheus-query-address <url>", "Prometheus that judges revisions; none without it", webAddress, "")
    .addOption(duration("--prometheus-query-ttl <duration>", "how long its answers count", prometheusTtlMs))
    .option("--prometheus-enabled [bool]", "whether it is asked", goBoolean, true)
    .option("--humane-releases-enabled [bool]", "whether anything is released in the schedules", goBoolean, true)
    .option(
      "--service-levels-namespace <name>",
      "namespace of service levels on the clusters",
      flags.serviceLevelsNamespace,
    )
    .option("--concurrent-revisions <n>", "Revisions worked on at the same time", workers, concurrentRevisions)
    .option(
      "--concurrent-release-managers <n>",
      "ReleaseManagers worked on at the same time",
      workers,
      concurrentReleaseManagers,
    )
    .option("--dev-routes-service-host <host>", "where developers' routes lead", flags.devRoutesServiceHost)
    .option("--dev-routes-service-port <port>", "and the port there", portNumber, flags.devRoutesServicePort)
    .option(
      "--cluster-prometheus-address <url>",
      "Prometheus as the clusters' autoscalers reach it",
      flags.clusterPrometheusAddress,
    );
}

function addOwnFlags(command: Command): Command {
  const { flags } = RELEASES_DEFAULTS;
  const modes = new Option("--ramp-mode <mode>", "what sizes a revision that gains traffic");
  return command
    .addOption(modes.choices(["autoscaler", "replicaset"]).default(flags.rampMode))
    .addOption(duration("--drain <duration>", "from weight 0 to scaling down", flags.drainMs))
    .addOption(
      duration("--orphan-grace <duration>", "how long traffic without a Revision is kept", flags.orphanGraceMs),
    )
    .addOption(duration("--cleanup-timeout <duration>", "when a finalizer gives up", flags.cleanupTimeoutMs))
    .option(
      "--judge-until-percent <n>",
      "up to which share a revision is judged; 100 is recommended (default: 50)",
      wholeNumber(1, 100),
    );
}

function duration(flags: string, description: string, defaultMs: number): Option {
  return new Option(flags, description).argParser(durationMs).default(defaultMs, formatDuration(defaultMs));
}
