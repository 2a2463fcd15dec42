import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto";
import {
  authorityExtensions,
  type LeafIdentity,
  leafExtensions,
  nameOf,
  type Subject,
  signCertificate,
  subjectOf,
} from "./certificate.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** Certificates are valid from a little before they were made, for machines whose clock is behind. */
const backdatedMs = 5 * 60 * 1000;

/** A certificate and its key, in PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface IssueRequest extends Subject, LeafIdentity {
  readonly days: number;
}

/** A certificate authority: its certificate is what others trust, its key stays with us. */
export interface Authority extends KeyPair {
  issue(request: IssueRequest): KeyPair;
}

interface WallClock {
  now(): number;
}

class UnusableAuthorityError extends Error {
  readonly code = "UnusableAuthority";
}

export function createAuthority(options: {
  readonly name: string;
  readonly clock: WallClock;
  readonly days: number;
}): Authority {
  const { publicKey, privateKey } = newKeys();
  const subject = nameOf({ commonName: options.name });
  const certificate = signCertificate(
    {
      issuer: subject,
      subject,
      publicKey,
      ...validity(options.clock, options.days),
      extensions: authorityExtensions(publicKey),
    },
    privateKey,
  );
  return loadAuthority({ certificate, key: pemOf(privateKey) }, options.clock);
}

/** An authority that createAuthority made, perhaps in an earlier life of the process. */
export function loadAuthority({ certificate, key }: KeyPair, clock: WallClock): Authority {
  const own = parseAuthority({ certificate, key });
  return {
    certificate,
    key,
    issue: (request) => {
      const { publicKey, privateKey } = newKeys();
      const issued = signCertificate(
        {
          issuer: subjectOf(own.certificate.raw),
          subject: nameOf(request),
          publicKey,
          ...validity(clock, request.days),
          extensions: leafExtensions(request, { own: publicKey, issuer: own.certificate.publicKey }),
        },
        own.privateKey,
      );
      return { certificate: issued, key: pemOf(privateKey) };
    },
  };
}

/** When the (first) certificate of this PEM ends, in milliseconds since 1970. */
export function expiresAt(certificate: string): number {
  return new X509Certificate(certificate).validToDate.getTime();
}

function parseAuthority(pair: KeyPair): { certificate: X509Certificate; privateKey: KeyObject } {
  const certificate = parsed("certificate", () => new X509Certificate(pair.certificate));
  const privateKey = parsed("key", () => createPrivateKey(pair.key));
  if (!certificate.ca) throw new UnusableAuthorityError("the certificate is not that of an authority");
  if (privateKey.asymmetricKeyType !== "ec") throw new UnusableAuthorityError("the key is not an elliptic-curve key");
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new UnusableAuthorityError("the key does not belong to the certificate");
  }
  return { certificate, privateKey };
}

/** The cause is left out for the key: what OpenSSL says of it could quote it. */
function parsed<T>(what: "certificate" | "key", parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    const message = `the authority's ${what} is not readable PEM`;
    throw what === "key" ? new UnusableAuthorityError(message) : new UnusableAuthorityError(message, { cause });
  }
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function pemOf(privateKey: KeyObject): string {
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

function validity(clock: WallClock, days: number): { notBeforeMs: number; notAfterMs: number } {
  const nowMs = clock.now();
  return { notBeforeMs: nowMs - backdatedMs, notAfterMs: nowMs + days * dayMs };
}
