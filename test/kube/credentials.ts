// One certificate authority per control plane; it signs the API server's certificate and every user's.
import { generateKeyPairSync } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { RealClock } from "@chaski/clock";
import { type Authority, createAuthority, type KeyPair, loadAuthority } from "@chaski/pki";

const DAYS = 30;

/** What the control plane's folder holds of keys, read once. */
export interface Credentials {
  readonly authority: Authority;
  readonly admin: KeyPair;
  readonly serviceAccountKey: string;
}

export function pkiFile(folder: string, file: string): string {
  return join(folder, "pki", file);
}

export async function createCredentials(folder: string): Promise<void> {
  const authority = createAuthority({ name: "chaski-test", clock: new RealClock(), days: DAYS });
  const apiServer = authority.issue({
    commonName: "kube-apiserver",
    usage: "server",
    dnsNames: ["localhost", "kubernetes.default.svc"],
    ipAddresses: ["127.0.0.1"],
    days: DAYS,
  });
  const serviceAccounts = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const files = {
    "ca.crt": authority.certificate,
    "ca.key": authority.key,
    "apiserver.crt": apiServer.certificate,
    "apiserver.key": apiServer.key,
    ...pairFiles("admin", issueUser(authority, "admin", ["system:masters"])),
    "service-accounts.key": serviceAccounts.privateKey.export({ type: "pkcs8", format: "pem" }),
    "service-accounts.pub": serviceAccounts.publicKey.export({ type: "spki", format: "pem" }),
  };
  await mkdir(join(folder, "pki"));
  await Promise.all(Object.entries(files).map(([file, pem]) => writeFile(pkiFile(folder, file), pem, { mode: 0o600 })));
}

export async function readCredentials(folder: string): Promise<Credentials> {
  const read = (file: string): Promise<string> => readFile(pkiFile(folder, file), "utf8");
  const authority = { certificate: await read("ca.crt"), key: await read("ca.key") };
  return {
    authority: loadAuthority(authority, new RealClock()),
    admin: { certificate: await read("admin.crt"), key: await read("admin.key") },
    serviceAccountKey: await read("service-accounts.key"),
  };
}

export function issueUser(authority: Authority, name: string, groups: readonly string[]): KeyPair {
  return authority.issue({ commonName: name, organizations: groups, usage: "client", days: DAYS });
}

function pairFiles(name: string, { certificate, key }: KeyPair): Record<string, string> {
  return { [`${name}.crt`]: certificate, [`${name}.key`]: key };
}
