import { VirtualClock } from "@chaski/clock";
import { createAuthority } from "@chaski/pki";
import { expect, test } from "vitest";
import { KubeconfigError } from "./errors.ts";
import { defaultConnection, kubeconfigFromData, loadKubeconfig } from "./load.ts";
import type { Machine, RunOptions } from "./machine.ts";

const SECRET = "s3cr3t-t0ken";
const clock = new VirtualClock();
const authority = createAuthority({ name: "test", clock, days: 1 });
const CA = Buffer.from(authority.certificate).toString("base64");

interface Ran {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: RunOptions["env"];
}

/** A machine with these files; `plugin` is what its programs print. */
function machineWith(
  files: Record<string, string>,
  options: { env?: Machine["env"]; plugin?: () => Promise<string> } = {},
) {
  const ran: Ran[] = [];
  const reads: string[] = [];
  const machine: Machine = {
    clock,
    env: options.env ?? {},
    home: "/home/me",
    async readFile(path) {
      reads.push(path);
      const content = files[path];
      if (content === undefined) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
      if (content === "EACCES") throw Object.assign(new Error("denied"), { code: "EACCES" });
      return Buffer.from(content);
    },
    async run(command, args, { env }) {
      ran.push({ command, args, env });
      return (options.plugin ?? (() => Promise.reject(new Error("no plugin"))))();
    },
  };
  return { machine, files, ran, reads };
}

interface Parts {
  readonly cluster?: string;
  readonly user?: string;
  readonly context?: string;
  readonly name?: string;
}

function kubeconfig({ cluster = "", user = `token: ${SECRET}`, context = "", name = "west" }: Parts = {}): string {
  return `
apiVersion: v1
kind: Config
current-context: ${name}
clusters:
- name: ${name}-cluster
  cluster: {server: "https://${name}.test:6443", certificate-authority-data: ${CA}, ${cluster}}
users:
- name: me
  user: {${user}}
contexts:
- name: ${name}
  context: {cluster: ${name}-cluster, user: me, ${context}}
`;
}

const signal = new AbortController().signal;
const connectionOf = async (text: string, machine = machineWith({}).machine) =>
  loadKubeconfig(
    { ...machine, readFile: (path) => (path === "/k" ? Promise.resolve(Buffer.from(text)) : machine.readFile(path)) },
    "/k",
  ).then((loaded) => loaded.connection());

test("a context gives server, trust, token, namespace and whom to act as", async () => {
  const text = kubeconfig({
    cluster: "tls-server-name: api.internal, proxy-url: 'http://proxy:3128'",
    user: `token: ${SECRET}, as: auditor, as-groups: [a, b]`,
    context: "namespace: shop",
  });
  const connection = await connectionOf(text);
  expect(connection).toMatchObject({
    name: "west",
    origin: "context west of /k",
    namespace: "shop",
    impersonate: { user: "auditor", groups: ["a", "b"] },
    endpoint: {
      server: "https://west.test:6443",
      proxyUrl: "http://proxy:3128",
      tls: { serverName: "api.internal", isInsecure: false, ca: Buffer.from(authority.certificate) },
    },
  });
  expect(await connection.credentials?.authorization(signal)).toBe(`Bearer ${SECRET}`);
});

test.each([
  { user: "username: me, password: pw", authorization: `Basic ${Buffer.from("me:pw").toString("base64")}` },
  { user: "token: abc", authorization: "Bearer abc" },
  { user: "token: abc, tokenFile: token", authorization: "Bearer from-file" },
])("the user {$user} authorizes by $authorization", async ({ user, authorization }) => {
  const { machine } = machineWith({ "/token": "from-file\n" });
  const connection = await connectionOf(kubeconfig({ user }), machine);
  expect(await connection.credentials?.authorization(signal)).toBe(authorization);
});

test("of several files in KUBECONFIG the first wins, a missing one is passed over, and paths are relative to their file", async () => {
  const user = "{client-certificate: me.crt, client-key: me.key}";
  const pair = authority.issue({ commonName: "me", usage: "client", days: 1 });
  const { machine } = machineWith(
    {
      "/a/config":
        "current-context: west\ncontexts: [{name: west, context: {cluster: shared, user: me}}]\nclusters: [{name: shared, cluster: {server: 'https://first'}}]",
      "/b/config": `current-context: other\nclusters: [{name: shared, cluster: {server: 'https://second'}}]\nusers: [{name: me, user: ${user}}]`,
      "/b/me.crt": pair.certificate,
      "/b/me.key": pair.key,
    },
    { env: { KUBECONFIG: "/a/config:/missing:/b/config" } },
  );
  const connection = await (await loadKubeconfig(machine)).connection();
  expect(connection.endpoint.server).toBe("https://first");
  const tls = connection.endpoint.tls;
  expect(typeof tls === "function" && (await tls()).cert?.toString()).toBe(pair.certificate);
});

test("without KUBECONFIG the home file is read; inside a pod its service account goes first", async () => {
  const folder = "/var/run/secrets/kubernetes.io/serviceaccount";
  const files = {
    "/home/me/.kube/config": kubeconfig(),
    [`${folder}/ca.crt`]: authority.certificate,
    [`${folder}/token`]: "pod-token",
    [`${folder}/namespace`]: "chaski",
  };
  expect((await defaultConnection(machineWith(files).machine)).name).toBe("west");
  const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
  const pod = await defaultConnection(machineWith(files, { env }).machine);
  expect(pod).toMatchObject({ name: "in-cluster", namespace: "chaski", endpoint: { server: "https://[fd00::1]:443" } });
  expect(await pod.credentials?.authorization(signal)).toBe("Bearer pod-token");
});

test.each([
  { isPodFirst: false, name: "west" },
  { isPodFirst: true, name: "in-cluster" },
])("in a pod with a KUBECONFIG, pod first $isPodFirst: $name", async ({ isPodFirst, name }) => {
  const folder = "/var/run/secrets/kubernetes.io/serviceaccount";
  const files = {
    "/etc/kubeconfig": kubeconfig(),
    [`${folder}/ca.crt`]: authority.certificate,
    [`${folder}/token`]: "pod-token",
    [`${folder}/namespace`]: "chaski",
  };
  const pod = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
  const { machine } = machineWith(files, { env: { ...pod, KUBECONFIG: "/etc/kubeconfig" } });
  expect((await defaultConnection(machine, { isPodFirst })).name).toBe(name);
  expect((await defaultConnection(machine, { isPodFirst, path: "/etc/kubeconfig" })).name).toBe("west");
});

test("a token file is read again after a minute, and at once when the server refuses its token", async () => {
  const { machine, files, reads } = machineWith({ "/token": "one" });
  const { credentials } = await connectionOf(kubeconfig({ user: "tokenFile: token" }), machine);
  expect(await credentials?.authorization(signal)).toBe("Bearer one");
  files["/token"] = "two";
  expect(await credentials?.authorization(signal)).toBe("Bearer one");
  await clock.advance(60_000);
  expect(await credentials?.authorization(signal)).toBe("Bearer two");
  files["/token"] = "three";
  expect(credentials?.refuse("Bearer two")).toBe(true);
  expect(await credentials?.authorization(signal)).toBe("Bearer three");
  expect(reads).toHaveLength(3);
});

const EXEC =
  "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login, args: [--for, west], env: [{name: REGION, value: eu}], interactiveMode: Never, provideClusterInfo: true, installHint: 'install it by: brew install login'}";

function printed(token: string, expiresInMs: number): string {
  const expirationTimestamp = new Date(clock.now() + expiresInMs).toISOString();
  const status = { token, expirationTimestamp };
  return JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status });
}

test("an exec plugin runs once for all who wait, and again before its token expires or when it was refused", async () => {
  let run = 0;
  const { machine, ran } = machineWith({}, { plugin: async () => printed(`token-${++run}`, 600_000) });
  const { credentials } = await connectionOf(kubeconfig({ user: EXEC }), machine);
  const tokens = await Promise.all([1, 2, 3].map(async () => credentials?.authorization(signal)));
  expect(tokens).toEqual(["Bearer token-1", "Bearer token-1", "Bearer token-1"]);
  await clock.advance(530_000);
  expect(await credentials?.authorization(signal)).toBe("Bearer token-1");
  await clock.advance(10_000);
  expect(await credentials?.authorization(signal)).toBe("Bearer token-2");
  credentials?.refuse("Bearer token-1");
  expect(await credentials?.authorization(signal)).toBe("Bearer token-2");
  credentials?.refuse("Bearer token-2");
  expect(await credentials?.authorization(signal)).toBe("Bearer token-3");
  expect(ran[0]).toMatchObject({ command: "/login", args: ["--for", "west"], env: { REGION: "eu" } });
  expect(JSON.parse(ran[0]?.env["KUBERNETES_EXEC_INFO"] ?? "")).toMatchObject({
    apiVersion: "client.authentication.k8s.io/v1",
    kind: "ExecCredential",
    spec: { interactive: false, cluster: { server: "https://west.test:6443", "certificate-authority-data": CA } },
  });
});

test("an exec plugin that wants to know the cluster is given its authority, also one that lies in a file", async () => {
  const { machine, ran } = machineWith(
    { "/ca.pem": Buffer.from(CA, "base64").toString() },
    { plugin: async () => printed("t", 600_000) },
  );
  const text = kubeconfig({ user: EXEC }).replace(`certificate-authority-data: ${CA}`, "certificate-authority: ca.pem");
  const { credentials } = await connectionOf(text, machine);
  await credentials?.authorization(signal);
  const { spec } = JSON.parse(ran[0]?.env["KUBERNETES_EXEC_INFO"] ?? "") as { spec: { cluster: unknown } };
  expect(spec.cluster).toEqual({ server: "https://west.test:6443", "certificate-authority-data": CA });
});

test.each([
  {
    what: "is missing",
    plugin: () => Promise.reject(Object.assign(new Error(SECRET), { code: "ENOENT" })),
    says: "is not installed; install it by: brew install login",
  },
  {
    what: "fails",
    plugin: () => Promise.reject(Object.assign(new Error(SECRET), { code: 3 })),
    says: "ended with exit code 3; install it by",
  },
  { what: "prints nonsense", plugin: () => Promise.resolve(SECRET), says: "printed no ExecCredential" },
])(
  "an exec plugin that $what: the error says so, with the way out and without its output",
  async ({ plugin, says }) => {
    const { credentials } = await connectionOf(kubeconfig({ user: EXEC }), machineWith({}, { plugin }).machine);
    const error = await credentials?.authorization(signal).catch((caught: unknown) => caught as KubeconfigError);
    expect(error).toMatchObject({ reason: "ExecFailed" });
    expect(String(error)).toContain(says);
    expect(String(error)).toContain("user me of /k");
    expect(String(error)).not.toContain(SECRET);
  },
);

test.each<{ what: string; text: string; reason: string; says: string }>([
  {
    what: "bad YAML",
    text: `apiVersion: v1\nusers:\n- name: me\n  user: {token: ${SECRET}\ncontexts: []`,
    reason: "BadYaml",
    says: "kubeconfig /k is not valid YAML",
  },
  { what: "a list", text: "- a", reason: "BadYaml", says: "kubeconfig /k holds no mapping" },
  {
    what: "a token that is a number",
    text: kubeconfig({ user: "token: 12345678" }),
    reason: "BadYaml",
    says: "/k: user me: token should be a text",
  },
  {
    what: "an unknown context",
    text: kubeconfig().replace("current-context: west", "current-context: east"),
    reason: "UnknownContext",
    says: "/k has no context east; it has west",
  },
  {
    what: "no current context",
    text: kubeconfig().replace("current-context: west", ""),
    reason: "UnknownContext",
    says: "/k has no current-context",
  },
  {
    what: "a missing cluster",
    text: kubeconfig().replace("name: west-cluster", "name: gone"),
    reason: "MissingCluster",
    says: 'context west of /k names the cluster "west-cluster", which is not there',
  },
  {
    what: "a missing user",
    text: kubeconfig().replace("name: me", "name: gone"),
    reason: "MissingUser",
    says: 'context west of /k names the user "me"',
  },
  {
    what: "bad base64",
    text: kubeconfig().replace(CA, "'not base64!'"),
    reason: "BadBase64",
    says: "cluster west-cluster of /k: certificate-authority-data is not base64",
  },
  {
    what: "an authority that is no certificate",
    text: kubeconfig().replace(CA, Buffer.from(SECRET).toString("base64")),
    reason: "BadCertificate",
    says: "cluster west-cluster of /k: its certificate authority is no PEM certificate",
  },
  {
    what: "a certificate without its key",
    text: kubeconfig({ user: `client-certificate-data: ${CA}` }),
    reason: "BadCertificate",
    says: "user me of /k: it has no client-key",
  },
  {
    what: "a key file that is not there",
    text: kubeconfig({ user: `client-certificate-data: ${CA}, client-key: keys/me.key` }),
    reason: "Unreadable",
    says: "user me of /k: the file /keys/me.key can't be read (ENOENT)",
  },
  {
    what: "a server that is no URL",
    text: kubeconfig().replace("https://west.test:6443", "west"),
    reason: "BadServer",
    says: "cluster west-cluster of /k: its server should be a URL",
  },
  {
    what: "an auth-provider",
    text: kubeconfig({ user: "auth-provider: {name: gcp}" }),
    reason: "Unsupported",
    says: "user me of /k: the auth-provider gcp was removed from Kubernetes",
  },
  {
    what: "an exec plugin of an old version",
    text: kubeconfig({ user: "exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: x}" }),
    reason: "Unsupported",
    says: "user me of /k: its exec plugin needs apiVersion client.authentication.k8s.io/v1",
  },
  {
    what: "an exec plugin that needs a terminal",
    text: kubeconfig({ user: EXEC.replace("Never", "Always") }),
    reason: "Unsupported",
    says: "needs a terminal",
  },
])("$what is one sentence with the way out", async ({ text, reason, says }) => {
  const error = await connectionOf(text).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(KubeconfigError);
  expect(error).toMatchObject({ reason });
  expect(String(error)).toContain(says);
  expect(String(error)).not.toContain(SECRET);
});

test("bad YAML names line and column, and quotes nothing", async () => {
  const text = `users:\n- name: me\n  user: {token: "${SECRET}\n`;
  const error = await connectionOf(text).catch((caught: unknown) => caught);
  expect(String(error)).toMatch(/line \d+, column \d+/);
  expect(String(error)).not.toContain(SECRET);
});

test.each([
  { path: "/missing", says: "kubeconfig /missing can't be read (ENOENT); name a file that exists" },
  { path: "/locked", says: "kubeconfig /locked can't be read (EACCES); check its permissions" },
])("a kubeconfig that can't be read: $says", async ({ path, says }) => {
  await expect(loadKubeconfig(machineWith({ "/locked": "EACCES" }).machine, path)).rejects.toThrow(says);
});

test("no kubeconfig anywhere: the error says where it looked", async () => {
  await expect(loadKubeconfig(machineWith({}).machine)).rejects.toThrow(
    "there is no kubeconfig at /home/me/.kube/config",
  );
});

test.each([
  { user: "tokenFile: /etc/passwd", says: "tokenFile names a file" },
  { user: "client-certificate: /a, client-key: /b", says: "client-certificate names a file" },
  { user: EXEC, says: "exec names a program" },
])("a kubeconfig in a Secret may not say {$user}", async ({ user, says }) => {
  const loaded = kubeconfigFromData(Buffer.from(kubeconfig({ user })), "Secret fleet/west");
  await expect(loaded.connection()).rejects.toMatchObject({ reason: "FileAccessRefused" });
  await expect(loaded.connection()).rejects.toThrow(says);
});

test("the fingerprint changes with the credentials, not with the text around them", async () => {
  const fingerprint = async (text: string) =>
    (await kubeconfigFromData(Buffer.from(text), "Secret fleet/west").connection()).fingerprint;
  const first = await fingerprint(kubeconfig());
  expect(await fingerprint(`# a comment\n${kubeconfig()}`)).toBe(first);
  expect(await fingerprint(kubeconfig({ user: "token: another" }))).not.toBe(first);
  expect(await fingerprint(kubeconfig({ cluster: "tls-server-name: x" }))).not.toBe(first);
});
