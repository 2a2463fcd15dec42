// The real kubectl, unmodified: what it prints against the embedded server is what it prints against the real one.
import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmbeddedCluster, type EmbeddedCluster } from "@chaski/embedded";
import { sharedControlPlane } from "@chaski/test/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const NAMESPACE = `kubectl-${process.pid}`;

const deployment = (image: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { app: web } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: "${image}", ports: [{ containerPort: 80 }] }] }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { color: red }
`;

const SCRIPT: readonly (readonly string[])[] = [
  ["create", "namespace", NAMESPACE],
  ["apply", "-f", "v1.yaml"],
  ["apply", "-f", "v1.yaml"],
  ["diff", "-f", "v2.yaml"],
  ["apply", "-f", "v2.yaml"],
  ["get", "deploy,svc,cm", "-o", "name"],
  ["get", "deploy"],
  ["get", "deploy", "-o", "wide"],
  ["get", "cm", "settings", "-o", "jsonpath={.data}"],
  ["get", "cm", "-l", "app=none"],
  ["get", "deploy", "web", "-o", "yaml", "--show-managed-fields"],
  ["describe", "deploy", "web"],
  ["describe", "svc", "web"],
  ["describe", "cm", "settings"],
  ["patch", "deploy", "web", "-p", '{"spec":{"replicas":3}}'],
  ["patch", "cm", "settings", "--type=merge", "-p", '{"data":{"color":"blue"}}'],
  ["patch", "cm", "settings", "--type=json", "-p", '[{"op":"remove","path":"/data/color"}]'],
  ["scale", "deploy", "web", "--replicas=5"],
  ["scale", "deploy", "web", "--replicas=1", "--current-replicas=4"],
  ["wait", "deploy/web", "--for=jsonpath={.spec.replicas}=5", "--timeout=5s"],
  ["label", "deploy", "web", "tier=front"],
  ["annotate", "deploy", "web", "note=hello"],
  ["set", "image", "deploy/web", "main=nginx:1.28"],
  ["apply", "--server-side", "-f", "v1.yaml"],
  ["apply", "--server-side", "--force-conflicts", "-f", "v1.yaml"],
  ["create", "configmap", "made", "--from-literal=a=b"],
  ["create", "configmap", "made", "--from-literal=a=b"],
  ["create", "deployment", "quick", "--image=nginx"],
  ["create", "role", "reader", "--verb=get", "--resource=pods"],
  ["replace", "-f", "v2.yaml"],
  ["get", "all"],
  ["get", "pods"],
  ["get", "pod", "absent"],
  ["get", "nonsense"],
  ["events"],
  ["auth", "can-i", "create", "pods"],
  ["rollout", "history", "deploy/web"],
  ["delete", "deploy", "web", "--cascade=orphan", "--wait=false"],
  ["delete", "-f", "v2.yaml"],
  ["delete", "cm", "--all"],
];

interface Outcome {
  readonly code: number;
  readonly output: string;
}

let kubectl: string;
let folder: string;
let embedded: EmbeddedCluster;
let configs: { readonly embedded: string; readonly real: string };

beforeAll(async () => {
  const real = await sharedControlPlane("bare");
  kubectl = join(real.coordinates.assets, "kubectl");
  folder = await mkdtemp(join(tmpdir(), "chaski-kubectl-"));
  embedded = await createEmbeddedCluster({ controllers: false });
  const { kubeconfig } = await embedded.listen();
  configs = { embedded: join(folder, "embedded.kubeconfig"), real: real.admin.kubeconfigPath };
  await writeFile(configs.embedded, kubeconfig);
  await writeFile(join(folder, "v1.yaml"), deployment("nginx:1.27"));
  await writeFile(join(folder, "v2.yaml"), deployment("nginx:1.29"));
});

afterAll(() => embedded.close());

describe("kubectl says the same of both servers", () => {
  test.each(SCRIPT.map((args) => ({ args, command: args.join(" ") })))("kubectl $command", async ({ args }) => {
    const [ours, theirs] = await Promise.all([run("embedded", args), run("real", args)]);
    expect(ours).toEqual(theirs);
  });
});

test.each(["deployment", "deployment.spec.strategy", "pod.spec.containers", "hpa.spec.metrics", "crd.spec.names"])(
  "kubectl explain %s has the same fields, if not the prose",
  async (path) => {
    const [ours, theirs] = await Promise.all([run("embedded", ["explain", path]), run("real", ["explain", path])]);
    expect(fieldsOf(ours)).toEqual(fieldsOf(theirs));
    expect(fieldsOf(ours).length).toBeGreaterThan(1);
  },
);

function fieldsOf({ output }: Outcome): string[] {
  return output.split("\n").filter((line) => /^ \w+\t</.test(line) || /^(GROUP|KIND|VERSION|FIELD):/.test(line));
}

async function run(server: "embedded" | "real", args: readonly string[]): Promise<Outcome> {
  const flags = args.includes("namespace") ? [] : ["--namespace", NAMESPACE];
  const env = { PATH: process.env["PATH"], HOME: join(folder, server), KUBECONFIG: configs[server] };
  return new Promise((resolve) => {
    execFile(kubectl, [...args, ...flags], { cwd: folder, env }, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : error ? 1 : 0;
      resolve({ code, output: normalise(`${stdout}${stderr}`) });
    });
  });
}

/** What two servers may differ in: ages, times, identities, addresses, temporary files. */
function normalise(output: string): string {
  return output
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>")
    .replaceAll(/resourceVersion: "\d+"/g, "resourceVersion: <version>")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\s"]*( [+-]\d{4})?/g, "<time>")
    .replaceAll(/\w{3}, \d\d \w{3} \d{4} [\d:]+ [+-]\d{4}/g, "<time>")
    .replaceAll(/\b10\.0\.\d+\.\d+ */g, "<address> ")
    .replaceAll(/\b\d+(s|m|m\d+s)\b/g, "<age>")
    .replaceAll(/\/tmp\/(LIVE|MERGED)-\d+/g, "/tmp/$1")
    .replaceAll(/ +/g, " ");
}
