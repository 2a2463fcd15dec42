import type { OperatorSettings } from "@chaski/operator";
import { Command, CommanderError } from "commander";
import { describe, expect, test } from "vitest";
import { withTwoDashes } from "../usage/go-syntax.ts";
import { addOperator } from "./operator.ts";

/** What the operator would be started with. */
async function settingsFor(...args: readonly string[]): Promise<OperatorSettings> {
  const started: OperatorSettings[] = [];
  const program = new Command("chaski").exitOverride();
  program.configureOutput({ writeErr: () => {} });
  addOperator(
    program,
    () => {},
    (settings) => Promise.resolve(started.push(settings)),
  );
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => {} });
  await program.parseAsync(withTwoDashes(["operator", ...args]), { from: "user" });
  const [settings] = started;
  if (!settings) throw new Error("nothing was started");
  return settings;
}

test("without any flag everything is as Picchu has it, but that a leader is elected", async () => {
  const settings = await settingsFor();
  expect(settings).toMatchObject({
    wings: ["releases", "canaries"],
    isLeaderElected: true,
    metricsAddress: { port: 8383, isDefault: true },
    warnings: [],
    releases: {
      flags: {
        isHumaneReleasesEnabled: true,
        serviceLevelsNamespace: "service-level-objectives",
        devRoutesServiceHost: "",
        devRoutesServicePort: 80,
        clusterPrometheusAddress: "",
        rampMode: "autoscaler",
        drainMs: 15_000,
        orphanGraceMs: 600_000,
        cleanupTimeoutMs: 3_600_000,
      },
      prometheusAddress: "",
      prometheusTtlMs: 10_000,
      concurrentRevisions: 20,
      concurrentReleaseManagers: 50,
      syncPeriodMs: 15_000,
    },
  });
  expect(settings.observe).toBeUndefined();
});

test("the command line of Picchu's guide runs as it is", async () => {
  const settings = await settingsFor(
    "--metrics-addr=:8080",
    "--enable-leader-election=false",
    "--concurrent-revisions=20",
    "--concurrent-release-managers=50",
  );
  expect(settings).toMatchObject({ isLeaderElected: false, metricsAddress: { port: 8080, isDefault: false } });
});

test("every flag of Picchu is taken, in Go's syntax with one dash", async () => {
  const args = [
    "-metrics-addr",
    "127.0.0.1:9999",
    "-enable-leader-election",
    "-manage-route53=true",
    "-sync-period-seconds=30",
    "-prometheus-query-address",
    "http://prometheus:9090/",
    "-prometheus-query-ttl=1m",
    "-slack-query-ttl=120s",
    "-humane-releases-enabled=F",
    "-prometheus-enabled=true",
    "-service-levels-namespace=slos",
    "-service-levels-fleet=delivery",
    "-concurrent-revisions",
    "3",
    "-concurrent-release-managers=4",
    "-dev-routes-service-host=dev",
    "-dev-routes-service-port=8000",
    "-cluster-prometheus-address=http://in-cluster",
    "-kubeconfig",
    "/etc/kubeconfig",
  ];
  const settings = await settingsFor(...args);
  expect(settings).toMatchObject({
    kubeconfig: "/etc/kubeconfig",
    isLeaderElected: true,
    metricsAddress: { host: "127.0.0.1", port: 9999 },
    releases: {
      flags: {
        isHumaneReleasesEnabled: false,
        serviceLevelsNamespace: "slos",
        devRoutesServiceHost: "dev",
        devRoutesServicePort: 8000,
        clusterPrometheusAddress: "http://in-cluster",
      },
      prometheusAddress: "http://prometheus:9090/",
      prometheusTtlMs: 60_000,
      concurrentRevisions: 3,
      concurrentReleaseManagers: 4,
      syncPeriodMs: 30_000,
    },
  });
  expect(settings.warnings).toEqual([
    "--manage-route53 has no effect: nothing uses it any more",
    "--service-levels-fleet has no effect: nothing uses it any more",
    "--slack-query-ttl has no effect: nothing uses it any more",
  ]);
});

test.each([
  { args: ["--prometheus-query-address=http://p", "--prometheus-enabled=false"], is: { prometheusAddress: "" } },
  { args: ["--ramp-mode=replicaset"], is: { flags: { rampMode: "replicaset" } } },
  { args: ["--drain", "1m30s"], is: { flags: { drainMs: 90_000 } } },
  { args: ["--orphan-grace=1h"], is: { flags: { orphanGraceMs: 3_600_000 } } },
  { args: ["--cleanup-timeout=10m"], is: { flags: { cleanupTimeoutMs: 600_000 } } },
  { args: ["--judge-until-percent=100"], is: { judgeUntilPercent: 100 } },
])("$args", async ({ args, is }) => {
  expect((await settingsFor(...args)).releases).toMatchObject(is);
});

test.each([
  { args: ["--observe"], is: { observe: "text" } },
  { args: ["--observe=json"], is: { observe: "json" } },
  { args: ["--no-enable-leader-election"], is: { isLeaderElected: false } },
  { args: ["--enable-leader-election=0"], is: { isLeaderElected: false } },
  { args: ["--config", "chaski.yaml"], is: { configFile: "chaski.yaml" } },
  { args: ["--record", "passes"], is: { recordFolder: "passes" } },
  { args: ["--wings=canaries"], is: { wings: ["canaries"] } },
])("$args", async ({ args, is }) => {
  expect(await settingsFor(...args)).toMatchObject(is);
});

test("an address of metrics may be none", async () => {
  expect((await settingsFor("--metrics-addr=0")).metricsAddress).toBeUndefined();
});

describe("what makes no sense is refused", () => {
  test.each([
    ["--enable-leader-election=maybe"],
    ["--prometheus-query-ttl=10"],
    ["--prometheus-query-address=prometheus"],
    ["--metrics-addr=8080"],
    ["--judge-until-percent=101"],
    ["--ramp-mode=rocket"],
    ["--sync-period-seconds=0"],
    ["--observe=xml"],
    ["--no-such-flag"],
  ])("%s", async (arg) => {
    await expect(settingsFor(arg)).rejects.toThrow(CommanderError);
  });
});
