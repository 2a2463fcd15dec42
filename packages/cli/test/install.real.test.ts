// The install manifests as they are, and the operator as a process under the service account that they give it.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority } from "@chaski/pki";
import { type ClusterAccess, freePort, until } from "@chaski/test/kube";
import { useControlPlane } from "@chaski/test/kube/vitest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lintText } from "../src/index.ts";

const NAMESPACE = "chaski-system";
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
  operator = spawn(process.execPath, ["packages/cli/src/main.ts", "operator", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const isReady = async (): Promise<true | undefined> =>
    (await fetch(`http://127.0.0.1:${healthPort}/readyz`).catch(() => undefined))?.ok || undefined;
  await until(isReady, { what: "the operator is ready", withinMs: 60_000 });
});

afterAll(async () => {
  const ended = operator && new Promise((resolve) => operator.on("exit", resolve));
  operator?.kill("SIGTERM");
  await ended;
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
});
