import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type ClusterAccess, sharedControlPlane, until } from "@chaski/test/kube";
import { afterEach, beforeAll, expect, test } from "vitest";

let plane: ClusterAccess;
const processes: ChildProcess[] = [];

beforeAll(async () => {
  plane = await sharedControlPlane();
});

afterEach(async () => {
  for (const child of processes.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});

function startOperator(namespace: string): { child: ChildProcess; output: () => string } {
  const script = new URL("./operator-process.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, plane.admin.kubeconfigPath, namespace]);
  processes.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output };
}

async function createMap(namespace: string, name: string): Promise<void> {
  const body = { metadata: { name, labels: { "sea.dev/account": "" } } };
  await plane.call({ method: "POST", path: `/api/v1/namespaces/${namespace}/configmaps`, body });
}

async function hasAccount(namespace: string, name: string, operator: { output: () => string }): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}`;
  const ask = (): Promise<object | undefined> => plane.call({ path }).catch(() => undefined);
  await until(ask, { what: `account ${name} exists` }).catch((error: unknown) => {
    throw new Error(operator.output(), { cause: error });
  });
}

async function describes(namespace: string, name: string, pattern: RegExp): Promise<true | undefined> {
  const text = await plane.kubectl(["describe", "configmap", name, "-n", namespace]);
  return pattern.test(text) || undefined;
}

test("an operator in a process of its own works, tells, lets go on SIGTERM, and another goes on", async () => {
  const namespace = await plane.createNamespace("operator");
  await createMap(namespace, "tern");
  const first = startOperator(namespace);
  await hasAccount(namespace, "tern", first);
  await until(() => describes(namespace, "tern", /Normal\s+Opened.*sea/), { what: "kubectl describe shows the event" });

  const second = startOperator(namespace);
  first.child.kill("SIGTERM");
  await once(first.child, "exit");
  expect(first.child.exitCode).toBe(0);
  expect(first.output()).toContain("ended");
  await createMap(namespace, "gull");
  await hasAccount(namespace, "gull", second);
  expect(first.output() + second.output()).not.toContain('"level":"error"');
});
