// The same kubectl, the same commands, two servers: what a person sees has to be the same.
import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmbeddedCluster, type EmbeddedCluster } from "@chaski/embedded";
import { sharedControlPlane } from "@chaski/test/kube";
import { afterAll, beforeAll, expect, test } from "vitest";

const NAMESPACE = "kubectl-test";
const FILES = {
  "web.yaml": `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { app: web } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: main, image: "nginx:1.27", ports: [{ containerPort: 80 }], env: [{ name: A, value: "1" }] }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { color: red, size: "3" }
`,
  "changed.yaml": `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { color: blue, shape: round }
`,
  "event.yaml": `
apiVersion: v1
kind: Event
metadata: { name: web.1 }
involvedObject: { apiVersion: apps/v1, kind: Deployment, name: web, namespace: ${NAMESPACE} }
reason: Scaled
message: it was scaled
type: Normal
source: { component: test }
firstTimestamp: "2026-01-02T03:04:05Z"
lastTimestamp: "2026-01-02T03:04:05Z"
count: 1
`,
  "definition.yaml": `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: sites.kubectl.example.com }
spec:
  group: kubectl.example.com
  scope: Namespaced
  names: { plural: sites, kind: Site, singular: site, shortNames: [st] }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      additionalPrinterColumns: [{ name: Size, type: integer, jsonPath: .spec.size }]
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              description: What is wanted.
              required: [size]
              properties: { size: { type: integer, description: How large. } }
            status: { type: object, x-kubernetes-preserve-unknown-fields: true }
`,
  "site.yaml": `
apiVersion: kubectl.example.com/v1
kind: Site
metadata: { name: home }
spec: { size: 3 }
`,
  editor: "#!/bin/sh\nsed -i 's/color: .*/color: green/' \"$1\"\n",
};

/** In order: each builds on what those before it left. */
const COMMANDS = [
  "apply -f web.yaml",
  "apply -f web.yaml",
  "get deployments,configmaps",
  "get deployment web -o wide",
  "get deployment web -o yaml",
  "get configmap settings -o jsonpath={.data.color}",
  "get all --show-labels",
  "get deployments -l app=web --no-headers",
  "get nothings",
  "get configmap absent",
  "describe deployment web",
  "describe configmap settings",
  "diff -f changed.yaml",
  "apply -f changed.yaml --dry-run=server -o yaml",
  "apply -f changed.yaml",
  "apply --server-side -f web.yaml",
  "apply --server-side --field-manager=me --force-conflicts -f changed.yaml",
  "get configmap settings -o yaml --show-managed-fields",
  "edit configmap settings",
  "get configmap settings -o yaml",
  'patch configmap settings --type=merge -p {"data":{"size":"4"}}',
  'patch configmap settings --type=json -p [{"op":"remove","path":"/data/size"}]',
  'patch deployment web -p {"spec":{"template":{"spec":{"containers":[{"name":"main","image":"nginx:1.28"}]}}}}',
  'patch deployment web --subresource=status --type=merge -p {"status":{"replicas":2,"readyReplicas":2,"availableReplicas":2,"conditions":[{"type":"Available","status":"True"}]}}',
  "scale deployment web --replicas=5",
  "scale deployment web --replicas=6 --current-replicas=9",
  "wait deployment web --for=condition=Available --timeout=5s",
  "wait deployment web --for=jsonpath={.spec.replicas}=5 --timeout=5s",
  "set image deployment/web main=nginx:1.29",
  "label deployment web tier=front",
  "annotate deployment web note=hello",
  "apply -f event.yaml",
  "events",
  "get events",
  "apply -f definition.yaml",
  "wait crd sites.kubectl.example.com --for=condition=Established --timeout=20s",
  "apply -f site.yaml",
  "get sites",
  "describe site home",
  "explain site.spec",
  "explain deployment.spec.strategy",
  "explain deployment --recursive",
  "api-resources --api-group=policy -o wide",
  "api-resources --api-group=kubectl.example.com",
  "api-resources --api-group=autoscaling",
  "auth can-i create deployments",
  "auth can-i get pods --subresource=log",
  "auth whoami",
  "create configmap more --from-literal=a=b",
  "create configmap more --from-literal=a=b",
  "delete configmap more --wait=false",
  "delete deployment web",
  "delete -f site.yaml",
  "delete configmaps --all",
  "delete crd sites.kubectl.example.com",
];

interface Server {
  readonly kubeconfig: string;
  readonly kubectl: string;
}

let folder: string;
let cluster: EmbeddedCluster;
let real: Server;
let embedded: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chaski-kubectl-"));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  await chmod(join(folder, "editor"), 0o755);
  const plane = await sharedControlPlane();
  const kubectl = join(plane.coordinates.assets, "kubectl");
  cluster = await createEmbeddedCluster({ controllers: false });
  const { kubeconfig } = await cluster.listen();
  await writeFile(join(folder, "embedded.config"), kubeconfig);
  real = { kubectl, kubeconfig: plane.admin.kubeconfigPath };
  embedded = { kubectl, kubeconfig: join(folder, "embedded.config") };
  for (const server of [real, embedded]) await run(server, `create namespace ${NAMESPACE}`);
});

afterAll(async () => {
  await cluster.close();
  await rm(folder, { recursive: true });
});

test.each(COMMANDS)("kubectl %s", async (command) => {
  const isExplained = command.startsWith("explain deployment");
  const [ours, theirs] = await Promise.all([run(embedded, command), run(real, command)]);
  expect(isExplained ? structure(ours) : ours).toBe(isExplained ? structure(theirs) : theirs);
});

/** Everything that kubectl says and how it ends. */
async function run({ kubectl, kubeconfig }: Server, command: string): Promise<string> {
  const args = [...command.split(" "), "-n", NAMESPACE, `--cache-dir=${kubeconfig}.cache`];
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    KUBECONFIG: kubeconfig,
    KUBE_EDITOR: join(folder, "editor"),
    TZ: "UTC",
  };
  return new Promise((resolve) => {
    execFile(kubectl, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve(normalise(`${stdout}${stderr}exit ${error ? String(error.code) : 0}`)),
    );
  });
}

/** Of built-in kinds the embedded server knows no prose. */
function structure(explained: string): string {
  return explained
    .split("\n")
    .filter((line) => /^[A-Z]+:|\t<|<.*>$|^exit/.test(line) && !/<empty>|<no description>/.test(line))
    .join("\n");
}

function normalise(output: string): string {
  return output
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<uid>")
    .replaceAll(/(resourceVersion: |Resource Version:\s+)"?\d+"?/g, "$1<version>")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+0000/g, "<time>")
    .replaceAll(/^Extra: .*\n/gm, "")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "<time>")
    .replaceAll(/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000/g, "<time>")
    .replaceAll(/(?<=\s)(\d+[smhdy])+(?=\s)/g, "<age>")
    .replaceAll(/127\.0\.0\.1:\d+/g, "<server>")
    .replaceAll(/\/tmp\/(LIVE|MERGED)-\d+/g, "<folder>")
    .replaceAll(/[ \t]+/g, " ");
}
