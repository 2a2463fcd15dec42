import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, RealClock, systemRandom, type Timer } from "@chaski/clock";
import { ConfigMap, MutatingWebhookConfiguration, Secret, ValidatingWebhookConfiguration } from "@chaski/kube";
import { createAuthority, loadAuthority } from "@chaski/pki";
import {
  type AdmissionHandler,
  type Client,
  connect,
  defaultConnection,
  fileCertificates,
  injectCaBundle,
  mutator,
  secretCertificates,
  type ServingCertificates,
  silentLogger,
  startWebhookServer,
  thisMachine,
  validator,
  type WebhookServer,
} from "@chaski/runtime";
import { type ClusterAccess, sharedControlPlane, until } from "@chaski/test/kube";
import { afterEach, beforeAll, expect, test } from "vitest";

const clock = new RealClock();
const cleanUp: (() => Promise<void>)[] = [];
let plane: ClusterAccess;
let client: Client;
let namespace: string;

beforeAll(async () => {
  plane = await sharedControlPlane();
  const connection = await defaultConnection(thisMachine(clock), { path: plane.admin.kubeconfigPath });
  client = connect(connection, { clock, random: systemRandom });
});

afterEach(async () => {
  for (const undo of cleanUp.splice(0).toReversed()) await undo();
});

const handlers: readonly AdmissionHandler[] = [
  mutator<ConfigMap>({
    path: "/mutate",
    kind: ConfigMap,
    mutate: (object) => ({ ...object, data: { size: "small", ...object.data } }),
  }),
  validator<ConfigMap>({
    path: "/validate",
    kind: ConfigMap,
    validate: ({ object }) =>
      object?.data?.["size"] === "huge"
        ? { isAllowed: false, message: "data.size: must not be huge" }
        : { isAllowed: true, warnings: ["sizes go away soon"] },
  }),
];

async function serve(certificates: ServingCertificates): Promise<WebhookServer> {
  const server = await startWebhookServer({
    clock,
    log: silentLogger,
    host: "127.0.0.1",
    port: 0,
    handlers,
    certificates,
  });
  cleanUp.push(async () => {
    certificates.stop();
    await server.close();
  });
  return server;
}

/** Webhooks by URL, for a namespace of this test's own; the authority is left to be injected. */
async function configure(name: string, port: number): Promise<void> {
  namespace = await plane.createNamespace("webhook");
  const webhook = (path: string) => ({
    name: `${path}.sea.dev`,
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    failurePolicy: "Fail",
    timeoutSeconds: 5,
    clientConfig: { url: `https://127.0.0.1:${port}/${path}` },
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
    rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] }],
  });
  const head = { apiVersion: "admissionregistration.k8s.io/v1", metadata: { name } } as const;
  const mutating = { ...head, kind: "MutatingWebhookConfiguration", webhooks: [webhook("mutate")] } as const;
  const validating = { ...head, kind: "ValidatingWebhookConfiguration", webhooks: [webhook("validate")] } as const;
  await client.of(MutatingWebhookConfiguration).create(mutating);
  await client.of(ValidatingWebhookConfiguration).create(validating);
  cleanUp.push(async () => {
    await client.of(MutatingWebhookConfiguration).delete({ name });
    await client.of(ValidatingWebhookConfiguration).delete({ name });
  });
}

function configMap(name: string, data: Record<string, string> = {}): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data };
}

/** Creates until the API server has noticed the configuration; whether what came back was mutated. */
async function expectReviewed(name: string): Promise<void> {
  const created = await until(
    async () => {
      const answer = await client
        .of(ConfigMap)
        .create(configMap(name))
        .catch(() => undefined);
      if (answer && answer.data?.["size"] === undefined) await client.of(ConfigMap).delete({ namespace, name });
      return answer?.data?.["size"] === undefined ? undefined : answer;
    },
    { what: "the webhook is called", withinMs: 20_000, everyMs: 200 },
  );
  expect(created.data).toEqual({ size: "small" });
  await expect(client.of(ConfigMap).create(configMap("huge", { size: "huge" }))).rejects.toThrow("must not be huge");
}

test("an API server trusts our own authority by URL, mutates and validates; the same authority is not written twice", async () => {
  const key = { namespace: "default", name: "sea-webhook-1" };
  const certificates = secretCertificates({
    secrets: client.of(Secret),
    key,
    clock,
    dnsNames: ["webhook.sea.svc"],
    ipAddresses: ["127.0.0.1"],
    onError: (error) => console.error(error),
  });
  cleanUp.push(() => client.of(Secret).delete(key));
  const server = await serve(certificates);
  await configure("sea-1", server.port);
  const { caBundle = "" } = await certificates.current();
  const targets = { mutating: ["sea-1"], validating: ["sea-1"] };
  await injectCaBundle(client, targets, caBundle);
  await expectReviewed("tern");

  const before = await client.of(ValidatingWebhookConfiguration).get({ name: "sea-1" });
  await injectCaBundle(client, targets, caBundle);
  const after = await client.of(ValidatingWebhookConfiguration).get({ name: "sea-1" });
  expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
});

/** The real time, whose timers fire when the test says so. */
class ManualTimers implements Clock {
  readonly #due: (() => void)[] = [];

  now(): number {
    return clock.now();
  }

  monotonic(): number {
    return clock.monotonic();
  }

  after(_delayMs: number, fire: () => void): Timer {
    this.#due.push(fire);
    return { cancel: () => {} };
  }

  sleep(): Promise<void> {
    return Promise.resolve();
  }

  deadline(delayMs: number) {
    return clock.deadline(delayMs);
  }

  fireAll(): void {
    for (const fire of this.#due.splice(0)) fire();
  }
}

test("the certificate is exchanged before its end, without a restart and without a failed review", async () => {
  const key = { namespace: "default", name: "sea-webhook-2" };
  const timers = new ManualTimers();
  const certificates = secretCertificates({
    secrets: client.of(Secret),
    key,
    clock: timers,
    dnsNames: ["webhook.sea.svc"],
    ipAddresses: ["127.0.0.1"],
    onError: (error) => console.error(error),
  });
  cleanUp.push(() => client.of(Secret).delete(key));
  const server = await serve(certificates);
  await configure("sea-2", server.port);
  const first = await certificates.current();
  await injectCaBundle(client, { mutating: ["sea-2"], validating: ["sea-2"] }, first.caBundle ?? "");
  await expectReviewed("tern");

  const { promise: renewed, resolve } = Promise.withResolvers<string>();
  certificates.onChange(({ certificate }) => resolve(certificate));
  await shortenCertificate(key, first.caBundle ?? "");
  timers.fireAll();
  expect(await renewed).not.toBe(first.certificate);
  await client.of(ConfigMap).create(configMap("gull"));
  expect((await client.of(ConfigMap).get({ namespace, name: "gull" })).data).toEqual({ size: "small" });
});

/** Replaces the kept certificate by one that ends within the time in which it is renewed. */
async function shortenCertificate(key: { namespace: string; name: string }, caBundle: string): Promise<void> {
  const secret = await client.of(Secret).get(key);
  const text = (name: string): string => Buffer.from(secret.data?.[name] ?? "", "base64").toString();
  const authority = loadAuthority({ certificate: caBundle, key: text("ca.key") }, clock);
  const short = authority.issue({ commonName: "webhook", usage: "server", ipAddresses: ["127.0.0.1"], days: 10 });
  const encode = (pem: string): string => Buffer.from(pem).toString("base64");
  const data = { ...secret.data, "tls.crt": encode(short.certificate), "tls.key": encode(short.key) };
  await client.of(Secret).update({ ...secret, data });
}

test("cert-manager's files serve, and their successors too", async () => {
  const directory = await mkdtemp(join(tmpdir(), "cert-manager-"));
  cleanUp.push(() => rm(directory, { recursive: true }));
  const authority = createAuthority({ name: "cert-manager", clock, days: 10 });
  const issue = async (): Promise<string> => {
    const pair = authority.issue({ commonName: "webhook", usage: "server", ipAddresses: ["127.0.0.1"], days: 5 });
    await writeFile(join(directory, "tls.key"), pair.key);
    await writeFile(join(directory, "tls.crt"), pair.certificate);
    await writeFile(join(directory, "ca.crt"), authority.certificate);
    return pair.certificate;
  };
  await issue();
  const timers = new ManualTimers();
  const certificates = fileCertificates(directory, { clock: timers, onError: (error) => console.error(error) });
  const server = await serve(certificates);
  await configure("sea-3", server.port);
  await injectCaBundle(client, { mutating: ["sea-3"], validating: ["sea-3"] }, authority.certificate);
  await expectReviewed("tern");
  const second = await issue();
  const { promise: reloaded, resolve } = Promise.withResolvers<string>();
  certificates.onChange(({ certificate }) => resolve(certificate));
  timers.fireAll();
  expect(await reloaded).toBe(second);
  await expectReviewed("gull");
});
