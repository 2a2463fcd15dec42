import { spawn } from "node:child_process";
import { freePort, sharedControlPlane, until } from "@chaski/test/kube";
import { expect, test } from "vitest";

test("the example runs as a process on a real cluster: page, condition, event, lease, metrics, clean end", async () => {
  const cluster = await sharedControlPlane();
  await cluster.kubectl(["apply", "-f", "docs/example/site-crd.yaml"]);
  await cluster.kubectl(["wait", "--for=condition=Established", "crd/sites.example.chaski.dev"]);
  const port = await freePort();
  const child = spawn(process.execPath, ["docs/example/main.ts"], {
    env: { ...process.env, KUBECONFIG: cluster.admin.kubeconfigPath, HEALTH_PORT: String(port) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  try {
    const site = "{apiVersion: example.chaski.dev/v1, kind: Site, metadata: {name: home}, spec: {title: Hello}}";
    await cluster.kubectl(["apply", "-f", "-"], { input: site });
    await cluster.kubectl(["wait", "--for=condition=Ready", "site/home", "--timeout=60s"]);
    expect(await cluster.kubectl(["get", "cm", "home-page", "-o", "jsonpath={.data.index\\.html}"])).toBe(
      "<h1>Hello</h1>",
    );
    expect(await cluster.kubectl(["get", "lease", "site-operator", "-o", "jsonpath={.spec.holderIdentity}"])).not.toBe(
      "",
    );
    const told = async (): Promise<true | undefined> =>
      (await cluster.kubectl(["describe", "site", "home"])).includes("Publishing") || undefined;
    await until(told, { what: "the event is in kubectl describe" });
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toContain('controller_runtime_reconcile_total{controller="example.site",result="success"}');
  } finally {
    child.kill("SIGTERM");
  }
  expect(await ended).toBe(0);
});
