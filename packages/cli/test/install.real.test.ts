// The install manifests as they are, and the operator as a process under the service account that they give it.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createAuthority } from "@chaski/pki";
import { canonicalJson } from "@chaski/runtime";
import { type ClusterAccess, freePort, until } from "@chaski/test/kube";
import { useControlPlane } from "@chaski/test/kube/vitest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { lintText } from "../src/index.ts";

const NAMESPACE = "chaski-system";
const LABEL = "app.kubernetes.io/name=chaski";
const INSTALLED_FOR_ALL =
  "clusterroles,clusterrolebindings,mutatingwebhookconfigurations,validatingwebhookconfigurations";
const running = useControlPlane({
  name: "install",
  audit: "Metadata",
  controllerManager: true,
  scheduler: true,
  kwok: true,
});
let cluster: ClusterAccess;
let operator: ChildProcess;
let folder: string;

beforeAll(async () => {
  cluster = running.current;
  folder = await mkdtemp(join(tmpdir(), "chaski-install-"));
  await promisify(execFile)(process.execPath, ["tools/build.ts", "--out", join(folder, "bundle")]);
  const authority = createAuthority({ name: "test", clock: { now: () => new Date().getTime() }, days: 1 });
  const served = authority.issue({ commonName: "webhook", usage: "server", ipAddresses: ["127.0.0.1"], days: 1 });
  await writeFile(join(folder, "tls.crt"), served.certificate);
  await writeFile(join(folder, "tls.key"), served.key);
  await writeFile(join(folder, "ca.crt"), authority.certificate);
  await cluster.kubectl(["apply", "--server-side", "-k", "config"]);
  await cluster.kubectl(["wait", "--for=condition=Established", "crd/canaries.canarycontroller.chaski.dev"]);
  const [webhookPort, healthPort] = [await freePort(), await freePort()];
  // No pod network here: the API server reaches the operator by URL instead of by the Service.
  const clientConfig = { service: null, url: `https://127.0.0.1:${webhookPort}/validate-canary` };
  const patch = JSON.stringify({
    webhooks: [{ name: "canaries.canarycontroller.chaski.dev", clientConfig, failurePolicy: "Fail" }],
  });
  await cluster.kubectl(["patch", "validatingwebhookconfiguration", "chaski", "--type=strategic", "-p", patch]);
  const account = await cluster.addServiceAccount(NAMESPACE, "chaski");
  const flags = {
    wings: "canaries",
    namespace: NAMESPACE,
    kubeconfig: account.kubeconfigPath,
    "health-port": healthPort,
    "webhook-port": webhookPort,
    certificates: folder,
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  operator = spawn(process.execPath, [program(), "operator", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const isReady = async (): Promise<true | undefined> =>
    (await fetch(`http://127.0.0.1:${healthPort}/readyz`).catch(() => undefined))?.ok || undefined;
  await until(isReady, { what: "the operator is ready", withinMs: 60_000 });
});

/** As it is installed: the bundle, not the sources. */
function program(): string {
  return join(folder, "bundle", "chaski.mjs");
}

async function stopOperator(): Promise<void> {
  if (!operator || operator.exitCode !== null) return;
  const ended = new Promise((resolve) => operator.on("exit", resolve));
  operator.kill("SIGTERM");
  await ended;
}

afterAll(async () => {
  await stopOperator();
  if (folder) await rm(folder, { recursive: true });
});

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: shop-v1 }
spec:
  replicas: 4
  selector: { matchLabels: { app: shop } }
  template:
    metadata: { labels: { app: shop } }
    spec: { containers: [{ name: shop, image: "shop:1" }] }
`;

function canaryManifest(spec: string): string {
  return `apiVersion: canarycontroller.chaski.dev/v1alpha1\nkind: Canary\nmetadata: { name: shop }\nspec: ${spec}\n`;
}

const RELEASE = canaryManifest(
  "{ type: CanaryDeploy, oldDeploymentName: shop-v1, newDeploymentName: shop-v2, image: 'shop:2', replicas: 4, totalBatches: 2 }",
);

async function chaski(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program(), ...args], { encoding: "utf8" });
  return stdout;
}

function documents(text: string): readonly unknown[] {
  const parsed = parseAllDocuments(text).map((document): unknown => document.toJS());
  return parsed.toSorted((a, b) => canonicalJson(a).localeCompare(canonicalJson(b)));
}

describe("the installed operator", () => {
  test("takes a release to its end with the rights of its own service account", async () => {
    const namespace = await cluster.createNamespace();
    const kubectl = (args: readonly string[], input?: string): Promise<string> =>
      cluster.kubectl(["-n", namespace, ...args], input === undefined ? {} : { input });
    await kubectl(["apply", "-f", "-"], DEPLOYMENT);
    await kubectl(["wait", "--for=condition=Available", "deployment/shop-v1", "--timeout=60s"]);
    await kubectl(["apply", "-f", "-"], RELEASE);
    await kubectl(["wait", "--for=jsonpath={.status.paused}=true", "canary/shop", "--timeout=60s"]);
    await kubectl(["patch", "canary", "shop", "--type=merge", "-p", '{"spec":{"currentBatch":2}}']);
    await kubectl(["wait", "--for=condition=Ready", "canary/shop", "--timeout=60s"]);
    expect(await kubectl(["get", "deployments", "-o", "name"])).toBe("deployment.apps/shop-v2\n");
    expect(await kubectl(["get", "canary"])).toMatch(
      /NAME\s+TYPE\s+BATCH\s+IMAGE\s+AVAILABLE\s+PAUSED\s+AGE\nshop\s+CanaryDeploy\s+2\/2\s+shop:2\s+4\s+false/,
    );
    await kubectl(["delete", "canary", "shop"]);
  });

  test("was refused nothing by RBAC", async () => {
    const refused = await cluster.auditEvents({ user: `system:serviceaccount:${NAMESPACE}:chaski`, code: 403 });
    expect(refused.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
  });

  test("refuses a wrong Canary at kubectl apply in the words of chaski lint, which adds line and column", async () => {
    const manifest = canaryManifest(
      "\n  type: CanaryDeploy\n  oldDeploymentName: shop-v1\n  image: 'shop:2'\n  replicas: 4",
    );
    const [finding] = lintText("shop.yaml", manifest);
    expect(finding).toMatchObject({ line: 5, column: 3, path: "spec.totalBatches" });
    await expect(cluster.kubectl(["apply", "-f", "-"], { input: manifest })).rejects.toThrow(
      `spec.totalBatches: ${finding?.message}`,
    );
  });

  test("is what chaski install prints", async () => {
    const [printed, built] = await Promise.all([chaski("install"), cluster.kubectl(["kustomize", "config"])]);
    expect(documents(printed)).toEqual(documents(built));
  });

  test("is well, as chaski doctor sees it", async () => {
    const findings = JSON.parse(await chaski("doctor", "--kubeconfig", cluster.admin.kubeconfigPath, "-o", "json")) as {
      readonly verdict: string;
      readonly subject: string;
      readonly message: string;
    }[];
    const unwell = findings.filter(({ verdict, subject }) => verdict !== "ok" && subject !== "fleet");
    expect(unwell.map(({ subject, message }) => `${subject}: ${message}`)).toEqual([]);
    expect(findings.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(["delivery cluster", "CRD revisions", "rights", "validating webhooks", "operator"]),
    );
  });

  test("goes by chaski uninstall, which first only tells, and leaves the workloads running", async () => {
    const namespace = await cluster.createNamespace();
    const kubectl = (args: readonly string[], input?: string): Promise<string> =>
      cluster.kubectl(["-n", namespace, ...args], input === undefined ? {} : { input });
    await kubectl(["apply", "-f", "-"], DEPLOYMENT);
    await kubectl(["apply", "-f", "-"], RELEASE);
    await kubectl(["wait", "--for=jsonpath={.status.paused}=true", "canary/shop", "--timeout=60s"]);
    const at = ["--kubeconfig", cluster.admin.kubeconfigPath, "--crds"];
    expect(await chaski("uninstall", ...at)).toContain("would remove ClusterRole chaski");
    expect(await cluster.kubectl(["get", "clusterrole/chaski", "-o", "name"])).toContain("chaski");
    await stopOperator();
    expect(await chaski("uninstall", ...at, "--yes")).toContain("workloads were not touched");
    await cluster.kubectl(["wait", "--for=delete", "crd/canaries.canarycontroller.chaski.dev", "--timeout=60s"]);
    expect(await cluster.kubectl(["get", INSTALLED_FOR_ALL, "-l", LABEL, "-o", "name"])).toBe("");
    expect(await cluster.kubectl(["-n", NAMESPACE, "get", "deployments,services,roles", "-o", "name"])).toBe("");
    expect(await kubectl(["get", "deployments", "-o", "jsonpath={.items[*].status.readyReplicas}"])).toBe("3 1");
    expect(await chaski("uninstall", ...at)).toMatch(/^Nothing of the operator is here/);
  });
});
