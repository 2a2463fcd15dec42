// The chart as a user installs it, and the operator from the bundle that `npm run build` makes, under the account, with
// the arguments and with the configuration that the chart gives it: a release over two clusters from join to uninstall.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type ControlPlane, startControlPlane, until } from "@chaski/test/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DeployedProcess, startDeployed } from "./deployed-process.ts";
import { ensureHelm, helm } from "./helm.ts";

const CHART = "charts/chaski";
const NAMESPACE = "delivery";
const PLACE = "echo-production";
const WORKLOADS = { audit: "Metadata", controllerManager: true, scheduler: true, kwok: true } as const;

let planes: readonly ControlPlane[] = [];
let delivery: ControlPlane;
let targets: readonly ControlPlane[];
let helmPath: string;
let folder: string;
let operator: DeployedProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chaski-chart-"));
  helmPath = await ensureHelm();
  planes = await Promise.all([
    startControlPlane({ name: "chart-delivery", audit: "Metadata" }),
    ...["east", "west"].map((name) => startControlPlane({ name, ...WORKLOADS })),
  ]);
  [delivery, ...targets] = planes as [ControlPlane, ...ControlPlane[]];
  await promisify(execFile)(process.execPath, ["tools/build.ts", "--out", join(folder, "bundle")]);
  for (const target of targets) await target.installCrds("istio");
  chart("install", "--create-namespace", "--set", "config.timeouts.deploying=30m");
  await delivery.kubectl(["wait", "--for=condition=Established", "crd", "--all", "--timeout=60s"]);
  operator = await startDeployed("chaski", {
    cluster: delivery,
    namespace: NAMESPACE,
    folder: join(folder, "pod"),
    program: program(),
  });
}, 900_000);

afterAll(async () => {
  await operator?.[Symbol.asyncDispose]();
  await Promise.all(planes.map((plane) => plane.stop()));
  if (folder) await rm(folder, { recursive: true });
});

function program(): string {
  return join(folder, "bundle", "chaski.mjs");
}

function chart(verb: string, ...args: readonly string[]): string {
  const source = verb === "uninstall" ? [] : [CHART];
  const at = ["--kubeconfig", delivery.admin.kubeconfigPath, "--namespace", NAMESPACE];
  return helm(helmPath, verb, "chaski", ...source, ...args, ...at);
}

async function chaski(...args: readonly string[]): Promise<string> {
  const at = ["--kubeconfig", delivery.admin.kubeconfigPath, "-n", "default"];
  const { stdout } = await promisify(execFile)(process.execPath, [program(), ...args, ...at], { encoding: "utf8" });
  return stdout;
}

/** As an account that has what `config/target` grants, and nothing else. */
async function joinCluster(target: ControlPlane, name: string): Promise<void> {
  await target.kubectl(["apply", "--server-side", "-f", "config/target/rbac.yaml"]);
  const account = await target.addServiceAccount("kube-public", "chaski");
  const binding = ["create", "clusterrolebinding", "chaski", "--clusterrole=chaski-target"];
  await target.kubectl([...binding, "--serviceaccount=kube-public:chaski"]);
  const from = ["--from-kubeconfig", account.kubeconfigPath];
  await chaski("clusters", "join", name, "--fleet", "production", ...from, "--yes");
}

function revision(tag: string): string {
  const spec = {
    app: { name: "echo", ref: "main", tag, image: `echo:${tag}` },
    failed: false,
    targets: [
      {
        name: "production",
        fleet: "production",
        scale: { min: 4, default: 4, max: 4 },
        ports: [{ name: "http", mode: "private", port: 80, containerPort: 8080 }],
        release: {
          eligible: true,
          schedule: "always",
          scalingStrategy: "linear",
          linearScaling: { increment: 50, delay: "1s" },
        },
      },
    ],
  };
  const annotations = { "git-scm.com/committer-timestamp": new Date().toISOString() };
  const metadata = { name: `echo-${tag}`, annotations };
  return JSON.stringify({ apiVersion: "picchu.medium.engineering/v1alpha1", kind: "Revision", metadata, spec });
}

async function release(tag: string): Promise<void> {
  await delivery.kubectl(["create", "-f", "-"], { input: revision(tag) });
  await delivery.kubectl(["wait", "--for=condition=Released", `revision/echo-${tag}`, "--timeout=90s"]);
}

function onTargets(...args: readonly string[]): Promise<readonly string[]> {
  return Promise.all(targets.map((target) => target.kubectl(["-n", PLACE, ...args])));
}

const PODS = ["get", "pods", "--field-selector=status.phase=Running", "-o", "jsonpath={.items[*].metadata.uid}"];

describe("a release story on the installed chart", { timeout: 180_000 }, () => {
  test("two clusters join by the command line", async () => {
    await joinCluster(targets[0] as ControlPlane, "east");
    await joinCluster(targets[1] as ControlPlane, "west");
    const heard = async (): Promise<true | undefined> =>
      /east.*observed[\s\S]*west.*observed/.test(await chaski("clusters", "status")) || undefined;
    await until(heard, { what: "both are observed", everyMs: 500 });
  });

  test("the first revision is released on both, the second ramps and takes over", async () => {
    await release("v1");
    await release("v2");
    for (const route of await onTargets("get", "virtualservice", "echo", "-o", "json"))
      expect(route).toMatch(/"subset": "v2"[\s\S]*"weight": 100/);
    const steps = await delivery.kubectl(["get", "events", "-o", "jsonpath={.items[*].message}"]);
    expect(steps).toContain("v2 gets 50 % of the traffic");
    expect(await chaski("why", "echo")).toContain("waits for nothing: v2 is released on every live cluster");
  });

  test("a changed configuration is taken up without a restart", async () => {
    // By replacement: the webhooks' addresses are the test's own.
    chart("upgrade", "--force", "--set", "config.timeouts.deploying=20m");
    await operator.refreshConfig();
    const isRead = (): true | undefined =>
      operator.log.join("").includes("the configuration was read anew") || undefined;
    await until(isRead, { what: "it is read anew" });
  });

  test("the operator was refused nothing", async () => {
    for (const plane of planes) {
      const refused = await plane.auditEvents({ code: 403 });
      const own = refused.filter(({ user }) => user.username.endsWith(":chaski"));
      expect(own.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
    }
  });

  test("helm uninstall takes the operator, and leaves workloads, routes and every release's memory", async () => {
    const running = async (): Promise<true | undefined> =>
      (await onTargets(...PODS)).every((uids) => uids.split(" ").length === 2) || undefined;
    await until(running, { what: "only v2 has pods", everyMs: 500 });
    const pods = await onTargets(...PODS);
    chart("uninstall");
    await operator[Symbol.asyncDispose]();
    expect(await onTargets(...PODS)).toEqual(pods);
    for (const route of await onTargets("get", "virtualservice", "echo", "-o", "json"))
      expect(route).toContain('"subset": "v2"');
    expect(await delivery.kubectl(["get", "revisions,releasemanagers", "-o", "name"])).toContain("echo-v2");
    expect(await delivery.kubectl(["-n", NAMESPACE, "get", "deployments,configmaps", "-o", "name"])).not.toContain(
      "chaski",
    );
  });
});
