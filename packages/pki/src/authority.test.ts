import { execFileSync, spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createServer, type TLSSocket } from "node:tls";
import { RealClock, VirtualClock } from "@chaski/clock";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAuthority, expiresAt, type KeyPair, loadAuthority } from "./index.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
const dayMs = 24 * 60 * 60 * 1000;
const clock = new RealClock();
const authority = createAuthority({ name: "test-ca", clock, days: 10 });
const server = authority.issue({
  commonName: "web",
  dnsNames: ["web.shop.svc", "localhost"],
  ipAddresses: ["127.0.0.1", "::1", "fd00::ffff:10.0.0.1"],
  usage: "server",
  days: 2,
});
const client = authority.issue({ commonName: "ada", organizations: ["engineers", "Köche"], usage: "client", days: 1 });

describe("an issued certificate", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pki-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test.skipIf(!hasOpenssl).each([
    { usage: "sslserver", issued: server, other: "sslclient" },
    { usage: "sslclient", issued: client, other: "sslserver" },
  ])("passes openssl as $usage and not as $other", ({ usage, issued, other }) => {
    const caFile = join(folder, "ca.pem");
    const file = join(folder, "issued.pem");
    writeFileSync(caFile, authority.certificate);
    writeFileSync(file, issued.certificate);
    const verify = (purpose: string) =>
      execFileSync("openssl", ["verify", "-x509_strict", "-purpose", purpose, "-CAfile", caFile, file], {
        encoding: "utf8",
        stdio: "pipe",
      });
    expect(verify(usage)).toContain("OK");
    expect(() => verify(other)).toThrow(/unsuitable certificate purpose/);
  });

  test("names its holder and where it may be used", () => {
    expect(new X509Certificate(client.certificate).subject).toBe("O=engineers\nO=Köche\nCN=ada");
    const { subjectAltName, issuer } = new X509Certificate(server.certificate);
    expect(issuer).toBe("CN=test-ca");
    expect(subjectAltName).toBe(
      "DNS:web.shop.svc, DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, " +
        "IP Address:FD00:0:0:0:0:FFFF:A00:1",
    );
  });

  test("has a serial number of its own", () => {
    const serials = Array.from({ length: 100 }, () => {
      const { certificate } = authority.issue({ commonName: "ada", usage: "client", days: 1 });
      return new X509Certificate(certificate).serialNumber;
    });
    expect(new Set(serials).size).toBe(100);
  });

  test.each([
    { madeAt: "2026-03-01T00:00:00.000Z", days: 30, endsAt: "2026-03-31T00:00:00.000Z" },
    { madeAt: "2049-12-31T00:00:00.000Z", days: 2, endsAt: "2050-01-02T00:00:00.000Z" },
  ])("made at $madeAt for $days days ends at $endsAt", ({ madeAt, days, endsAt }) => {
    const then = new VirtualClock(Date.parse(madeAt));
    const { certificate } = createAuthority({ name: "ca", clock: then, days });
    expect(new Date(expiresAt(certificate)).toISOString()).toBe(endsAt);
  });
});

describe("an authority", () => {
  test("goes on issuing after it was saved and loaded", () => {
    const loaded = loadAuthority({ certificate: authority.certificate, key: authority.key }, clock);
    const issued = new X509Certificate(loaded.issue({ commonName: "x", usage: "client", days: 1 }).certificate);
    expect(issued.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
    expect(issued.checkIssued(new X509Certificate(authority.certificate))).toBe(true);
    expect(expiresAt(authority.certificate)).toBeGreaterThan(clock.now() + 9 * dayMs);
  });

  const stranger = createAuthority({ name: "stranger", clock, days: 1 });
  test.each<{ what: string; pair: KeyPair; message: string }>([
    { what: "garbage", pair: { ...authority, certificate: "?" }, message: "certificate is not readable PEM" },
    { what: "a garbled key", pair: { ...authority, key: "s3cret" }, message: "key is not readable PEM" },
    { what: "a leaf", pair: server, message: "not that of an authority" },
    { what: "another's key", pair: { ...authority, key: stranger.key }, message: "does not belong" },
  ])("is not loaded from $what, and the message says so without the key", ({ pair, message }) => {
    expect(() => loadAuthority(pair, clock)).toThrow(
      expect.objectContaining({ code: "UnusableAuthority", message: expect.stringContaining(message) }),
    );
    expect(() => loadAuthority(pair, clock)).not.toThrow(/s3cret/);
  });
});

test("both sides of a TLS connection accept each other by certificate", async () => {
  const listening = createServer({
    cert: server.certificate,
    key: server.key,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  });
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const accepted = once(listening, "secureConnection") as Promise<[TLSSocket]>;
  const socket = connect({
    host: "127.0.0.1",
    port: (listening.address() as AddressInfo).port,
    ca: authority.certificate,
    cert: client.certificate,
    key: client.key,
  });
  await once(socket, "secureConnect");
  const [peer] = await accepted;
  expect(socket.authorized).toBe(true);
  expect(peer.getPeerCertificate().subject.CN).toBe("ada");
  socket.destroy();
  peer.destroy();
  listening.close();
  await once(listening, "close");
});
