import { createHash, type KeyObject, randomBytes, sign } from "node:crypto";
import * as der from "./der.ts";
import { ipAddressBytes } from "./ip-address.ts";

export interface Subject {
  readonly commonName: string;
  /** Kubernetes reads them as the user's groups. */
  readonly organizations?: readonly string[];
}

/** All that a certificate says; who signs it stands beside. */
export interface CertificateContent {
  /** Encoded by nameOf, or taken from the issuer's certificate. */
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly extensions: readonly Buffer[];
}

const oid = {
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  server: "1.3.6.1.5.5.7.3.1",
  client: "1.3.6.1.5.5.7.3.2",
} as const;

const serialNumberBytes = 16;
const version3 = der.explicit(0, der.unsignedInteger(Buffer.of(2)));
const signatureAlgorithm = der.sequence(der.objectIdentifier(oid.ecdsaWithSha256));

/** The certificate in PEM, signed by the issuer's key. */
export function signCertificate(content: CertificateContent, issuerKey: KeyObject): string {
  const signed = der.sequence(
    version3,
    der.unsignedInteger(randomBytes(serialNumberBytes)),
    signatureAlgorithm,
    content.issuer,
    der.sequence(der.time(content.notBeforeMs), der.time(content.notAfterMs)),
    content.subject,
    content.publicKey.export({ type: "spki", format: "der" }),
    der.explicit(3, der.sequence(...content.extensions)),
  );
  const certificate = der.sequence(signed, signatureAlgorithm, der.bitString(sign("sha256", signed, issuerKey)));
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

/** The encoded subject of a certificate, to be the issuer of others. */
export function subjectOf(certificate: Buffer): Buffer {
  const [, , , , , subject] = der.elementsOf(der.elementsOf(certificate)[0] ?? Buffer.alloc(0));
  return subject ?? Buffer.alloc(0);
}

export function nameOf({ commonName, organizations = [] }: Subject): Buffer {
  const attributes = [...organizations.map((name) => [oid.organization, name]), [oid.commonName, commonName]];
  return der.sequence(
    ...attributes.map(([type = "", value = ""]) =>
      der.set(der.sequence(der.objectIdentifier(type), der.utf8String(value))),
    ),
  );
}

export function authorityExtensions(publicKey: KeyObject): Buffer[] {
  const keyCertSignAndCrlSign = der.bitString(Buffer.of(0b0000_0110), 1);
  return [
    critical(oid.basicConstraints, der.sequence(der.boolean(true))),
    critical(oid.keyUsage, keyCertSignAndCrlSign),
    extension(oid.subjectKeyIdentifier, der.octetString(keyIdentifier(publicKey))),
  ];
}

export interface LeafIdentity {
  readonly usage: "server" | "client";
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
}

export function leafExtensions(
  { usage, dnsNames = [], ipAddresses = [] }: LeafIdentity,
  keys: { readonly own: KeyObject; readonly issuer: KeyObject },
): Buffer[] {
  const digitalSignature = der.bitString(Buffer.of(0b1000_0000), 7);
  const alternatives = [
    ...dnsNames.map((name) => der.implicit(2, Buffer.from(name, "ascii"))),
    ...ipAddresses.map((address) => der.implicit(7, ipAddressBytes(address))),
  ];
  return [
    critical(oid.basicConstraints, der.sequence()),
    critical(oid.keyUsage, digitalSignature),
    extension(oid.extendedKeyUsage, der.sequence(der.objectIdentifier(oid[usage]))),
    extension(oid.subjectKeyIdentifier, der.octetString(keyIdentifier(keys.own))),
    extension(oid.authorityKeyIdentifier, der.sequence(der.implicit(0, keyIdentifier(keys.issuer)))),
    ...(alternatives.length === 0 ? [] : [extension(oid.subjectAltName, der.sequence(...alternatives))]),
  ];
}

function extension(type: string, value: Buffer): Buffer {
  return der.sequence(der.objectIdentifier(type), der.octetString(value));
}

function critical(type: string, value: Buffer): Buffer {
  return der.sequence(der.objectIdentifier(type), der.boolean(true), der.octetString(value));
}

/** RFC 5280, 4.2.1.2, method 1: SHA-1 of the key's bits. It names the key and protects nothing. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  const [, bits = Buffer.alloc(0)] = der.elementsOf(publicKey.export({ type: "spki", format: "der" }));
  return createHash("sha1").update(der.contentOf(bits).subarray(1)).digest();
}
