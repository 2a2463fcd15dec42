// One certificate authority per control plane; it signs the API server's certificate and every user's.
import { execFile } from "node:child_process";
import { createPrivateKey, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export const SERVICE_ACCOUNT_ISSUER = "https://kubernetes.default.svc";

export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  /** Host names and addresses: `DNS:localhost`, `IP:127.0.0.1`. */
  readonly alternativeNames?: readonly string[];
}

/** The certificate authority in a folder: `ca.crt` and `ca.key`. */
export class Authority {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async create(): Promise<void> {
    await openssl(this.folder, "ca", [
      "-subj",
      "/CN=chaski-test-ca",
      "-addext",
      "keyUsage=critical,keyCertSign,cRLSign",
    ]);
  }

  /** Writes `<file>.crt` and `<file>.key` beside the authority's own. */
  async issue(
    file: string,
    { commonName, organizations = [], alternativeNames = [] }: CertificateRequest,
  ): Promise<void> {
    const subject = [...organizations.map((organization) => `/O=${escape(organization)}`), `/CN=${escape(commonName)}`];
    const names = alternativeNames.length > 0 ? ["-addext", `subjectAltName=${alternativeNames.join(",")}`] : [];
    const usage = "extendedKeyUsage=clientAuth,serverAuth";
    const signer = [
      "-CA",
      "ca.crt",
      "-CAkey",
      "ca.key",
      "-addext",
      "basicConstraints=critical,CA:FALSE",
      "-addext",
      usage,
    ];
    await openssl(this.folder, file, ["-subj", subject.join(""), ...signer, ...names]);
  }

  async read(file: string): Promise<string> {
    return readFile(join(this.folder, file), "utf8");
  }
}

async function openssl(cwd: string, file: string, options: readonly string[]): Promise<void> {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", `${file}.key`];
  await run("openssl", ["req", "-x509", "-days", "30", ...key, "-out", `${file}.crt`, ...options], { cwd });
}

function escape(name: string): string {
  return name.replaceAll("\\", "\\\\").replaceAll("/", "\\/");
}

export interface TokenClaims {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly expiresInSeconds: number;
}

/** A service account's token signed here, since the API server itself grants none that lives less than ten minutes. */
export function signToken(signingKeyPem: string, { namespace, name, uid, expiresInSeconds }: TokenClaims): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: SERVICE_ACCOUNT_ISSUER,
    aud: [SERVICE_ACCOUNT_ISSUER],
    sub: `system:serviceaccount:${namespace}:${name}`,
    iat: now,
    nbf: now,
    exp: now + expiresInSeconds,
    "kubernetes.io": { namespace, serviceaccount: { name, uid } },
  };
  const content = `${encode({ alg: "ES256", typ: "JWT" })}.${encode(claims)}`;
  const key = createPrivateKey(signingKeyPem);
  return `${content}.${sign("sha256", Buffer.from(content), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
