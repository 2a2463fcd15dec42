// The alerts and the dashboard, on a real Prometheus that scrapes a real operator.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RealClock } from "@chaski/clock";
import { createEmbeddedCluster, type EmbeddedCluster } from "@chaski/embedded";
import { metricNames } from "@chaski/releases";
import { freePort, until } from "@chaski/test/kube";
import { type Prometheus, startPrometheus } from "@chaski/test/prometheus";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";

interface Rule {
  readonly alert: string;
  readonly expr: string;
}
interface Group {
  readonly rules: readonly Rule[];
}
const { spec } = parse(readFileSync("config/monitoring/alerts.yaml", "utf8")) as {
  readonly spec: { readonly groups: readonly Group[] };
};
const dashboard = JSON.parse(readFileSync("config/monitoring/dashboard.json", "utf8")) as {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
};

const CONFIGURATION = "apiVersion: chaski.dev/v1alpha1\nkind: OperatorConfig\n";

let cluster: EmbeddedCluster;
let operator: ChildProcess;
let prometheus: Prometheus;
let folder: string;
let address: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chaski-monitoring-"));
  cluster = await createEmbeddedCluster({ clock: new RealClock() });
  const { kubeconfig } = await cluster.listen();
  await writeFile(join(folder, "kubeconfig"), kubeconfig, { mode: 0o600 });
  const port = await freePort();
  address = `127.0.0.1:${port}`;
  await writeFile(join(folder, "config.yaml"), CONFIGURATION);
  const flags = [
    `--config=${join(folder, "config.yaml")}`,
    "--kubeconfig",
    join(folder, "kubeconfig"),
    "--namespace=default",
    `--health-port=${port}`,
  ];
  operator = spawn(process.execPath, ["packages/cli/src/main.ts", "operator", ...flags], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await until(async () => (await fetch(`http://${address}/healthz`).catch(() => undefined))?.ok || undefined, {
    what: "the operator answers",
    withinMs: 30_000,
  });
  prometheus = await startPrometheus({ scrape: address, groups: spec.groups });
});

afterAll(async () => {
  operator?.kill("SIGKILL");
  await prometheus?.[Symbol.asyncDispose]();
  await cluster?.close();
  if (folder) await rm(folder, { recursive: true });
});

const alerts = spec.groups.flatMap(({ rules }) => rules);
const panels = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

describe("monitoring", () => {
  test("every metric that an alert or a panel names is one of the operator's", async () => {
    const exposed = await (await fetch(`http://${address}/metrics`)).text();
    const known = new Set([...exposed.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name));
    const named = [...alerts.map(({ expr }) => expr), ...panels].flatMap(metricsOf);
    const isKnown = (name: string): boolean => known.has(name) || known.has(name.replace(/_(bucket|sum|count)$/, ""));
    expect(named.filter((name) => !isKnown(name))).toEqual([]);
  });

  test("Prometheus evaluates every alert, and none is raised about a healthy operator", async () => {
    const isScraped = async (): Promise<true | undefined> =>
      (await prometheus.count("leader_election_master_status")) > 0 || undefined;
    await until(isScraped, { what: "the operator was scraped", withinMs: 30_000 });
    const rules = await until(async () => settled(await evaluated()), { what: "no rule waits", withinMs: 30_000 });
    expect(rules.map(({ name, health, state }) => ({ name, health, state }))).toEqual(
      alerts.map(({ alert }) => ({ name: alert, health: "ok", state: "inactive" })),
    );
  });

  test.each(panels)("Prometheus understands the panel %s", async (expr) => {
    expect(await prometheus.count(withoutVariables(expr))).toBeGreaterThanOrEqual(0);
  });

  test("an operator that is gone is noticed", async () => {
    operator.kill("SIGKILL");
    const isPending = async (): Promise<true | undefined> =>
      (await evaluated())?.some(({ name, state }) => name === "ChaskiDown" && state === "pending") || undefined;
    expect(await until(isPending, { what: "ChaskiDown is pending", withinMs: 30_000 })).toBe(true);
  });
});

interface Evaluated {
  readonly name: string;
  readonly health: string;
  readonly state: string;
}

/** Undefined until each rule was evaluated once. */
async function evaluated(): Promise<readonly Evaluated[] | undefined> {
  const answer = await fetch(`${prometheus.address}/api/v1/rules`);
  const { data } = (await answer.json()) as { readonly data: { readonly groups: readonly { rules: Evaluated[] }[] } };
  const rules = data.groups.flatMap((group) => group.rules);
  return rules.every(({ health }) => health !== "unknown") ? rules : undefined;
}

/** Undefined while a rule still sees what was before the first scrape. */
function settled(rules: readonly Evaluated[] | undefined): readonly Evaluated[] | undefined {
  return rules?.every(({ state }) => state !== "pending") ? rules : undefined;
}

function metricsOf(expr: string): readonly string[] {
  const names = metricNames(withoutVariables(expr));
  if (!names.ok) throw new Error(`${expr}: ${names.problem}`);
  return names.value;
}

function withoutVariables(expr: string): string {
  return expr.replaceAll(/\$\w+/g, ".*");
}
