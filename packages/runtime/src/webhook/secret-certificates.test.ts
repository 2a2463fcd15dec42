import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualClock } from "@chaski/clock";
import type { Secret } from "@chaski/kube";
import { createAuthority } from "@chaski/pki";
import { expect, test } from "vitest";
import { AlreadyExists, Conflict, NotFound } from "../client/errors.ts";
import { fileCertificates, type ServingCertificate } from "./certificates.ts";
import { secretCertificates } from "./secret-certificates.ts";

const DAY_MS = 24 * 3_600_000;
const attempted = { cluster: "local", verb: "update" };

/** One Secret on a server. */
class SecretServer {
  secret: Secret | undefined;
  failure: Error | undefined;
  #version = 0;

  get = async (): Promise<Secret> => {
    if (this.failure) throw this.failure;
    if (!this.secret) throw new NotFound(attempted, { message: "not found", isKindMissing: false });
    return this.secret;
  };

  create = async (secret: Secret): Promise<Secret> => {
    if (this.secret) throw new AlreadyExists(attempted, { message: "exists" });
    return this.#store(secret);
  };

  update = async (secret: Secret): Promise<Secret> => {
    if (secret.metadata.resourceVersion !== this.secret?.metadata.resourceVersion)
      throw new Conflict(attempted, { message: "conflict" });
    return this.#store(secret);
  };

  #store(secret: Secret): Secret {
    this.secret = { ...secret, metadata: { ...secret.metadata, resourceVersion: String(++this.#version) } };
    return this.secret;
  }
}

function replicaOf(server: SecretServer, clock: VirtualClock) {
  const errors: unknown[] = [];
  const certificates = secretCertificates({
    secrets: server,
    key: { namespace: "chaski", name: "webhook" },
    clock,
    dnsNames: ["webhook.chaski.svc"],
    ipAddresses: ["127.0.0.1"],
    onError: (error) => errors.push(error),
  });
  return { certificates, errors };
}

function daysLeft({ certificate }: ServingCertificate, clock: VirtualClock): number {
  return Math.round((new X509Certificate(certificate).validToDate.getTime() - clock.now()) / DAY_MS);
}

/** Some authority of the bundle has signed the certificate and has not ended. */
function isTrusted({ certificate, caBundle = "" }: ServingCertificate, clock: VirtualClock): boolean {
  const authorities = caBundle.match(/-----BEGIN[\s\S]+?END CERTIFICATE-----/g) ?? [];
  return authorities
    .map((pem) => new X509Certificate(pem))
    .some((ca) => new X509Certificate(certificate).verify(ca.publicKey) && ca.validToDate.getTime() > clock.now());
}

test("the first replica makes authority and certificate, the others find them", async () => {
  const clock = new VirtualClock();
  const server = new SecretServer();
  const [first, second] = await Promise.all([
    replicaOf(server, clock).certificates.current(),
    replicaOf(server, clock).certificates.current(),
  ]);
  expect(first).toEqual(second);
  expect(isTrusted(first, clock)).toBe(true);
  expect(new X509Certificate(first.certificate).subjectAltName).toBe("DNS:webhook.chaski.svc, IP Address:127.0.0.1");
  expect(server.secret?.type).toBe("kubernetes.io/tls");
});

/** What a replica that lives for a moment serves. */
async function glance(server: SecretServer, clock: VirtualClock): Promise<ServingCertificate> {
  const { certificates } = replicaOf(server, clock);
  const current = await certificates.current();
  certificates.stop();
  return current;
}

test("the certificate is renewed 30 days before its end, and the authority stays", async () => {
  const clock = new VirtualClock();
  const server = new SecretServer();
  const first = await glance(server, clock);
  await clock.advance(59.9 * DAY_MS);
  const { certificates } = replicaOf(server, clock);
  expect(await certificates.current()).toEqual(first);
  const renewals: ServingCertificate[] = [];
  certificates.onChange((certificate) => renewals.push(certificate));
  await clock.advance(0.2 * DAY_MS);
  certificates.stop();
  const [renewed = first] = renewals;
  expect(renewals).toHaveLength(1);
  expect(daysLeft(renewed, clock)).toBe(90);
  expect(renewed.caBundle).toBe(first.caBundle);
});

test("what one replica renewed reaches the others", async () => {
  const clock = new VirtualClock();
  const server = new SecretServer();
  const other = replicaOf(server, clock).certificates;
  await other.current();
  server.secret = undefined;
  const renewed = await glance(server, clock);
  await clock.advance(60_000);
  expect(await other.current()).toEqual(renewed);
  other.stop();
});

test("a new authority is trusted long before it signs anything, and the old one until it ends", async () => {
  const clock = new VirtualClock();
  const server = new SecretServer();
  let previous = await glance(server, clock);
  const bundles = new Set([previous.caBundle]);
  // A replica that starts every 20 days, for eleven years.
  for (let day = 0; day < 11 * 365; day += 20) {
    await clock.advance(20 * DAY_MS);
    const current = await glance(server, clock);
    expect(isTrusted(current, clock)).toBe(true);
    // A client that has not yet heard of the change still trusts what is served.
    expect(isTrusted({ ...current, caBundle: previous.caBundle ?? "" }, clock)).toBe(true);
    previous = current;
    bundles.add(current.caBundle);
  }
  expect(bundles.size).toBeGreaterThan(2);
});

test("a server that is away leaves the certificate in use", async () => {
  const clock = new VirtualClock();
  const server = new SecretServer();
  const { certificates, errors } = replicaOf(server, clock);
  const first = await certificates.current();
  server.failure = new Error("no route to host");
  await clock.advance(60_000);
  expect(errors).toHaveLength(1);
  expect(await certificates.current()).toEqual(first);
});

test("cert-manager's files are read again when they change, and a half-changed pair is left alone", async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const directory = await mkdtemp(join(tmpdir(), "certificates-"));
  const authority = createAuthority({ name: "cert-manager", clock, days: 30 });
  const issue = () => authority.issue({ commonName: "webhook", usage: "server", days: 10 });
  const write = async (file: string, content: string): Promise<void> => writeFile(join(directory, file), content);
  const [first, second] = [issue(), issue()];
  await write("tls.crt", first.certificate);
  await write("tls.key", first.key);
  const errors: unknown[] = [];
  const certificates = fileCertificates(directory, { clock, onError: (error) => errors.push(error) });
  const seen: string[] = [(await certificates.current()).certificate];
  certificates.onChange(({ certificate }) => seen.push(certificate));
  await write("tls.crt", second.certificate);
  await expect.poll(() => clock.advance(10_000).then(() => errors.length)).toBeGreaterThan(0);
  expect(seen).toEqual([first.certificate]);
  await write("tls.key", second.key);
  await expect.poll(() => clock.advance(10_000).then(() => seen)).toEqual([first.certificate, second.certificate]);
  certificates.stop();
  await rm(directory, { recursive: true });
});
