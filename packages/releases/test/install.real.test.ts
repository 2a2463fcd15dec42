// The install manifests as they are: the operator as a process, with nothing but the rights that they give it, on the
// delivery cluster and on a target.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority } from "@chaski/pki";
import { type ClusterAccess, freePort, until } from "@chaski/test/kube";
import { useControlPlane } from "@chaski/test/kube/vitest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { installNeededCrds } from "./needed-crds.ts";

const NAMESPACE = "chaski-system";
const PATHS = "picchu-medium-engineering-v1alpha1";
const planes = {
  delivery: useControlPlane({ name: "install-delivery", audit: "Metadata" }),
  target: useControlPlane({
    name: "install-target",
    audit: "Metadata",
    controllerManager: true,
    scheduler: true,
    kwok: true,
  }),
};
let delivery: ClusterAccess;
let target: ClusterAccess;
let operator: ChildProcess;
let folder: string;
let namespace: string;
let metricsPort: number;

async function stopOperator(): Promise<void> {
  if (!operator || operator.exitCode !== null) return;
  const ended = new Promise((resolve) => operator.on("exit", resolve));
  operator.kill("SIGTERM");
  await ended;
}

function kubectl(args: readonly string[], input?: unknown): Promise<string> {
  const given = input === undefined ? {} : { input: typeof input === "string" ? input : JSON.stringify(input) };
  return delivery.kubectl(["-n", namespace, ...args], given);
}

beforeAll(async () => {
  delivery = planes.delivery.current;
  target = planes.target.current;
  folder = await mkdtemp(join(tmpdir(), "chaski-releases-"));
  await writeCertificates();
  await delivery.kubectl(["apply", "--server-side", "-k", "config"]);
  await delivery.kubectl(["wait", "--for=condition=Established", "crd/revisions.picchu.medium.engineering"]);
  await installNeededCrds(delivery, (project) => project === "external-secrets");
  await installNeededCrds(target);
  await target.kubectl(["apply", "--server-side", "-f", "config/crd/picchu.medium.engineering_revisions.yaml"]);
  await target.kubectl(["apply", "--server-side", "-f", "config/target/rbac.yaml"]);
  namespace = await delivery.createNamespace();
  await joinTarget();
  await startOperator();
}, 300_000);

afterAll(async () => {
  await stopOperator();
  if (folder) await rm(folder, { recursive: true });
});

async function writeCertificates(): Promise<void> {
  const authority = createAuthority({ name: "test", clock: { now: () => new Date().getTime() }, days: 1 });
  const served = authority.issue({ commonName: "webhook", usage: "server", ipAddresses: ["127.0.0.1"], days: 1 });
  await writeFile(join(folder, "tls.crt"), served.certificate);
  await writeFile(join(folder, "tls.key"), served.key);
  await writeFile(join(folder, "ca.crt"), authority.certificate);
}

/** The operator is on the target who its ClusterRole says, and nobody else. */
async function joinTarget(): Promise<void> {
  const accounts = await target.createNamespace("accounts");
  const account = await target.addServiceAccount(accounts, "chaski");
  const binding = ["create", "clusterrolebinding", "chaski-target", "--clusterrole=chaski-target"];
  await target.kubectl([...binding, `--serviceaccount=${accounts}:chaski`]);
  const { clusters, users } = JSON.parse(account.kubeconfig) as {
    clusters: [{ cluster: { server: string; "certificate-authority-data": string } }];
    users: [{ user: object }];
  };
  const metadata = { name: "west", labels: { "picchu.medium.engineering/fleet": "production" } };
  const stringData = { "auth-info": JSON.stringify(users[0].user) };
  await kubectl(["create", "-f", "-"], { apiVersion: "v1", kind: "Secret", metadata: { name: "west" }, stringData });
  const ingress = { dnsName: "x", gateway: "g", defaultDomains: ["example.com"] };
  await kubectl(["create", "-f", "-"], {
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "Cluster",
    metadata,
    spec: { enabled: true, config: clusters[0].cluster, ingresses: { public: ingress, private: ingress } },
  });
}

async function startOperator(): Promise<void> {
  const [webhookPort, healthPort] = [await freePort(), await freePort()];
  metricsPort = await freePort();
  // No pod network here: the API server reaches the operator by URL instead of by the Service.
  const at = (name: string, path: string) => ({
    name,
    clientConfig: { service: null, url: `https://127.0.0.1:${webhookPort}/${path}` },
  });
  const patch = async (kind: string, webhooks: readonly object[]): Promise<void> =>
    void (await delivery.kubectl([
      "patch",
      kind,
      "chaski-releases",
      "--type=strategic",
      "-p",
      JSON.stringify({ webhooks }),
    ]));
  await patch("mutatingwebhookconfiguration", [at("mrevision.kb.io", `mutate-${PATHS}-revision`)]);
  await patch("validatingwebhookconfiguration", [
    at("vrevision.kb.io", `validate-${PATHS}-revision`),
    at("vreleasemanager.kb.io", `validate-${PATHS}-releasemanager`),
  ]);
  const account = await delivery.addServiceAccount(NAMESPACE, "chaski");
  const args = [
    "-wings=releases",
    `-namespace=${NAMESPACE}`,
    `-kubeconfig=${account.kubeconfigPath}`,
    "-drain",
    "1s",
    `-health-port=${healthPort}`,
    `-metrics-addr=127.0.0.1:${metricsPort}`,
    `-webhook-port=${webhookPort}`,
    `-certificates=${folder}`,
    "-manage-route53=false",
  ];
  operator = spawn(process.execPath, ["packages/cli/src/main.ts", "operator", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const isReady = async (): Promise<true | undefined> =>
    (await fetch(`http://127.0.0.1:${healthPort}/readyz`).catch(() => undefined))?.ok || undefined;
  await until(isReady, { what: "the operator is ready", withinMs: 60_000 });
}

function revision(tag: string, release: object = {}, { app = "echo", ...target }: { app?: string } = {}): object {
  return {
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "Revision",
    metadata: { name: `${app}-${tag}`, annotations: { "git-scm.com/committer-timestamp": new Date().toISOString() } },
    spec: {
      app: { name: app, ref: "main", tag, image: `${app}:${tag}` },
      failed: false,
      targets: [
        {
          name: "production",
          fleet: "production",
          scale: { min: 1, default: 1, max: 2 },
          release: {
            eligible: true,
            schedule: "always",
            linearScaling: { increment: 50, delay: "1s" },
            scalingStrategy: "linear",
            ...release,
          },
          ports: [{ name: "http", mode: "private", port: 80, containerPort: 8080, protocol: "TCP" }],
          ...target,
        },
      ],
    },
  };
}

const metadata = { labels: { for: "meshed" } };
const metricsQuery = 'sum(rate(requests_total{code=~"5.."}[2m])) by (tag)';

/** Between them they need every kind that a release writes. */
const EVERYTHING = [
  {
    app: "meshed",
    ambientMesh: true,
    scale: { min: 1, default: 1, max: 2, targetCPUUtilizationPercentage: 70 },
    configSelector: { matchLabels: metadata.labels },
    istio: { sidecar: { egressHosts: ["istio-system/*"] } },
    alertRules: [{ alert: "Down", expr: "up == 0" }],
    serviceMonitors: [{ name: "meshed", sloRegex: false, spec: { selector: {}, endpoints: [{ port: "http" }] } }],
    serviceLevelObjectives: [
      {
        name: "availability",
        enabled: true,
        objectivePercentString: "99.9",
        serviceLevelIndicator: { canary: { enabled: true }, totalQuery: metricsQuery, errorQuery: metricsQuery },
      },
    ],
  },
  {
    app: "scaled",
    scale: {
      min: 1,
      default: 1,
      max: 1,
      targetRequestsRate: "5",
      kedaWorker: { triggers: [{ type: "datadog", metadata: { query: "avg:a", queryValue: "5" } }] },
    },
  },
  {
    app: "queued",
    scale: {
      min: 1,
      default: 1,
      max: 1,
      worker: { queueUri: "https://queue.invalid/jobs", targetMessagesPerWorker: 1, maxDisruption: "50%" },
    },
  },
];

/** What a release may choose, a Mirror, a FaultInjector, and a namespace that is not ours: there all goes one by one. */
async function prepareConfigs(): Promise<void> {
  await target.kubectl(["create", "namespace", "meshed-production"]);
  await target.kubectl(["create", "namespace", namespace]);
  const objects = [
    { apiVersion: "v1", kind: "Secret", metadata: { name: "hidden", ...metadata }, stringData: { a: "b" } },
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "plain", ...metadata }, data: { a: "b" } },
    {
      apiVersion: "external-secrets.io/v1",
      kind: "ExternalSecret",
      metadata: { name: "outer", ...metadata },
      spec: { secretStoreRef: { name: "vault" }, dataFrom: [{ extract: { key: "meshed" } }] },
    },
    {
      apiVersion: "picchu.medium.engineering/v1alpha1",
      kind: "Mirror",
      metadata: { name: "to-west" },
      spec: { clusterName: "west" },
    },
    {
      apiVersion: "picchu.medium.engineering/v1alpha1",
      kind: "FaultInjector",
      metadata: {
        name: "chaos",
        labels: { "picchu.medium.engineering/app": "meshed", "picchu.medium.engineering/target": "" },
      },
      spec: { httpPortFaults: [{ portSelector: { number: 80 }, fault: { abort: { httpStatus: 503 } } }] },
    },
  ];
  for (const object of objects) await kubectl(["create", "-f", "-"], object);
}

/** Of rights that nobody needs on a quiet day. */
const REASONS: readonly { readonly rights: RegExp; readonly because: string }[] = [
  { rights: / list /, because: "API servers that stream no lists are asked for them; late pods are looked at" },
  { rights: / get /, because: "a write that meets another version reads the object anew" },
  {
    rights: /^delivery \w+ (?:apps|autoscaling|canarycontroller\.chaski\.dev)\//,
    because: "they are the other wing's, which does not run here",
  },
  { rights: /^delivery patch \/events$/, because: "an event that repeats is counted, a minute later" },
  { rights: /^delivery update \S+\/finalizers$/, because: "servers may ask for it before an owner blocks a deletion" },
  {
    rights: /^delivery patch \S+\/(?:faultinjectors|mirrors)$/,
    because: "every kind of ours may get a finalizer; these have none yet",
  },
  {
    rights: /^delivery delete \S+\/releasemanagers$/,
    because: "a release whose Revisions are gone goes after its grace",
  },
  { rights: /^target \w+ external\.metrics\.k8s\.io\//, because: "a Role may grant only what its maker may do" },
];

interface GivenRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** `target get services` for what the audit log never shows. An apply that creates is a create and a patch. */
async function unusedRights(cluster: ClusterAccess, file: string, place: string): Promise<readonly string[]> {
  const documents = parseAllDocuments(await readFile(file, "utf8")).map(
    (document) => document.toJS() as { readonly kind: string; readonly rules?: readonly GivenRule[] },
  );
  const events = (await cluster.auditEvents()).filter(({ user }) => user.username.endsWith(":chaski"));
  const watches = (await cluster.auditEvents({ stage: "ResponseStarted" })).filter(({ verb }) => verb === "watch");
  const used = new Set(
    [...events, ...watches].flatMap(({ verb, objectRef = {}, responseStatus }) => {
      const { apiGroup = "", resource = "", subresource } = objectRef;
      const what = `${apiGroup}/${subresource ? `${resource}/${subresource}` : resource}`;
      return [`${verb} ${what}`, ...(responseStatus?.code === 201 ? [`create ${what}`] : [])];
    }),
  );
  return documents
    .filter(({ kind }) => kind === "ClusterRole")
    .flatMap(({ rules = [] }) => rules)
    .flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`)),
      ),
    )
    .filter((right) => !used.has(right))
    .map((right) => `${place} ${right}`);
}

describe("the installed operator", { timeout: 180_000 }, () => {
  test("its webhooks fill in what is missing and refuse what makes no sense", async () => {
    await kubectl(["create", "-f", "-"], revision("v1"));
    const stored = await kubectl([
      "get",
      "revision",
      "echo-v1",
      "-o",
      "jsonpath={.spec.targets[0].defaultIngressPorts}",
    ]);
    expect(JSON.parse(stored)).toEqual({ private: "http" });
    const refused = kubectl(
      ["create", "-f", "-"],
      revision("v2", { scalingStrategy: "geometric", geometricScaling: { factor: 1 } }),
    );
    await expect(refused).rejects.toThrow(/admission webhook "vrevision.kb.io" denied the request: .*factor/);
  });

  test("takes a release to its end with the rights that the manifests give it", async () => {
    await kubectl(["wait", "--for=condition=Released", "revision/echo-v1", "--timeout=120s"]);
    await kubectl(["wait", "--for=condition=Released", "releasemanager/echo-production", "--timeout=30s"]);
    const route = await target.kubectl(["-n", "echo-production", "get", "virtualservice", "echo", "-o", "json"]);
    expect(route).toContain('"subset": "v1"');
  });

  test("tells Picchu's metrics where Picchu does", async () => {
    const body = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(body).toContain('picchu_revision_release_weight{app="echo",target="production",tag="v1"} 100');
    expect(body).toContain('picchu_incarnation_count{app="echo",target="production",state="released"} 1');
  });

  test("copies Secrets to the target", async () => {
    await kubectl(["create", "secret", "generic", "pull", "--from-literal=a=b"]);
    await kubectl(["create", "-f", "-"], {
      apiVersion: "picchu.medium.engineering/v1alpha1",
      kind: "ClusterSecrets",
      metadata: { name: "pull" },
      spec: { source: { namespace, fieldSelector: "metadata.name=pull" }, target: { namespace: "copies" } },
    });
    await kubectl(["wait", "--for=condition=Synced", "clustersecrets/pull", "--timeout=30s"]);
    await kubectl(["delete", "clustersecrets/pull", "--timeout=60s"]);
    expect(await target.kubectl(["-n", "copies", "get", "secrets", "-o", "name"])).toBe("");
  });

  test("releases with an object of every kind come and go with the same rights", async () => {
    await prepareConfigs();
    for (const app of EVERYTHING) await kubectl(["create", "-f", "-"], revision("v1", {}, app));
    const names = EVERYTHING.map(({ app }) => app);
    const released = (tag: string) => names.map((app) => `revision/${app}-${tag}`);
    await kubectl(["wait", "--for=condition=Released", ...released("v1"), "--timeout=120s"]);
    await kubectl(["wait", "--for=condition=InEffect", "faultinjector/chaos", "--timeout=60s"]);
    await target.kubectl(["-n", namespace, "wait", "--for=create", "revision/meshed-v1", "--timeout=60s"]);
    // The second one needs nothing of it, and the first one goes.
    for (const app of names) await kubectl(["create", "-f", "-"], revision("v2", {}, { app }));
    await kubectl(["wait", "--for=condition=Released", ...released("v2"), "--timeout=120s"]);
    for (const app of names) {
      const retired = ["-n", `${app}-production`, "wait", "--for=jsonpath={.spec.replicas}=0", "replicaset/v1"];
      await target.kubectl([...retired, "--timeout=60s"]);
    }
    await kubectl(["delete", ...released("v1")]);
    for (const app of names) {
      const gone = ["-n", `${app}-production`, "wait", "--for=delete", "replicaset/v1", "--timeout=60s"];
      await target.kubectl(gone);
      await kubectl(["annotate", "releasemanager", `${app}-production`, "chaski.dev/allow-delete=true"]);
    }
    await kubectl(["delete", ...released("v2")]);
    await kubectl(["delete", "releasemanager", ...names.map((app) => `${app}-production`), "--timeout=120s"]);
    const left = await target.kubectl(["-n", "meshed-production", "get", "virtualservices,services", "-o", "name"]);
    expect(left).toBe("");
  });

  test("D-83: a ReleaseManager that carries traffic is not deleted by mistake, but on purpose", async () => {
    const deletion = kubectl(["delete", "releasemanager", "echo-production"]);
    await expect(deletion).rejects.toThrow(
      /v1 has traffic, which deletion would end: annotate it with chaski.dev\/allow-delete/,
    );
    await kubectl(["annotate", "releasemanager", "echo-production", "chaski.dev/allow-delete=true"]);
    await kubectl(["delete", "revision", "--all", "--wait=false"]);
    await kubectl(["delete", "releasemanager", "echo-production", "--timeout=90s"]);
    const gone = target.kubectl(["wait", "--for=delete", "namespace/echo-production", "--timeout=60s"]);
    await expect(gone).resolves.toBeDefined();
  });

  test("was refused nothing by RBAC, on either cluster", async () => {
    for (const cluster of [delivery, target]) {
      const refused = await cluster.auditEvents({ code: 403 });
      const own = refused.filter(({ user }) => user.username.endsWith(":chaski"));
      expect(own.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
    }
  });

  test("every right that the manifests give is used, or is there for a reason", async () => {
    const unused = [
      ...(await unusedRights(delivery, "config/rbac.yaml", "delivery")),
      ...(await unusedRights(target, "config/target/rbac.yaml", "target")),
    ];
    expect(unused.filter((right) => !REASONS.some(({ rights }) => rights.test(right)))).toEqual([]);
    expect(REASONS.filter(({ rights }) => !unused.some((right) => rights.test(right)))).toEqual([]);
  });

  test("D-33: while the webhooks are down a Revision can still be marked failed, but not be changed", async () => {
    await kubectl(["create", "-f", "-"], revision("v3"));
    await stopOperator();
    await kubectl(["patch", "revision", "echo-v3", "--type=merge", "-p", '{"spec":{"failed":true}}']);
    const change = [{ op: "replace", path: "/spec/targets/0/scale/max", value: 7 }];
    const changing = kubectl(["patch", "revision", "echo-v3", "--type=json", "-p", JSON.stringify(change)]);
    await expect(changing).rejects.toThrow(/failed calling webhook "mrevision.kb.io"/);
  });
});
