import type { Clock } from "@chaski/clock";
import { type Key, keyOf, type Secret } from "@chaski/kube";
import { type Authority, createAuthority, expiresAt, loadAuthority } from "@chaski/pki";
import type { KindClient } from "../client/client.ts";
import { AlreadyExists, Conflict, NotFound } from "../client/errors.ts";
import { PolledCertificates, type ServingCertificates } from "./certificates.ts";

export interface SecretCertificatesOptions {
  readonly secrets: Pick<KindClient<Secret>, "get" | "create" | "update">;
  /** The Secret in which authority and certificate are kept, shared by all replicas. */
  readonly key: Required<Key>;
  readonly clock: Clock;
  /** By which clients know the server: `webhook.chaski.svc`. */
  readonly dnsNames: readonly string[];
  readonly ipAddresses?: readonly string[];
  onError(error: unknown): void;
}

const DAY_MS = 24 * 3_600_000;
const AUTHORITY_DAYS = 3_650;
/** Far longer than any certificate lives: by the time that a new authority signs one, everybody trusts it. */
const AUTHORITY_LEFT_DAYS_MIN = 365;
const CERTIFICATE_DAYS = 90;
const CERTIFICATE_LEFT_DAYS_MIN = 30;
const CHECK_EVERY_MS = 60_000;
const CALL = { deadlineMs: 10_000 };

/** All of it as PEM, under the names that kubernetes.io/tls Secrets use. */
interface Kept {
  readonly "ca.crt": string;
  readonly "ca.key": string;
  readonly "tls.crt": string;
  readonly "tls.key": string;
}

/** Our own authority and a certificate of it, kept in a Secret and renewed well before they end. */
export function secretCertificates(options: SecretCertificatesOptions): ServingCertificates {
  return new PolledCertificates({
    clock: options.clock,
    everyMs: CHECK_EVERY_MS,
    onError: (error) => options.onError(error),
    load: async () => {
      const kept = await ensure(options);
      return { certificate: kept["tls.crt"], key: kept["tls.key"], caBundle: kept["ca.crt"] };
    },
  });
}

/** What is in the Secret after what is missing or about to end was renewed. Whichever replica comes first does it. */
async function ensure(options: SecretCertificatesOptions): Promise<Kept> {
  const { secrets, key } = options;
  const found = await secrets.get(key, CALL).catch(undefinedIfMissing);
  const kept = found && decode(found);
  const renewed = renew(kept, options);
  if (kept && isSame(kept, renewed)) return kept;
  const secret = { ...(found ?? emptySecret(key)), data: { ...found?.data, ...encode(renewed) } };
  try {
    await (found ? secrets.update(secret, CALL) : secrets.create(secret, CALL));
    return renewed;
  } catch (error) {
    if (error instanceof Conflict || error instanceof AlreadyExists) return readOther(options);
    throw error;
  }
}

/** Another replica was faster: what it made is as good as what we would have made. */
async function readOther({ secrets, key }: SecretCertificatesOptions): Promise<Kept> {
  const kept = decode(await secrets.get(key, CALL));
  if (!kept) throw new Error(`Secret ${keyOf(key)} holds no certificate`);
  return kept;
}

function renew(kept: Kept | undefined, options: SecretCertificatesOptions): Kept {
  const { clock } = options;
  const known = kept && loadAuthority({ certificate: firstOf(kept["ca.crt"]), key: kept["ca.key"] }, clock);
  const newest = isGoodFor(AUTHORITY_LEFT_DAYS_MIN, known, clock) ? known : newAuthority(options.key, clock);
  const bundle = { "ca.crt": bundleOf(newest, kept, clock), "ca.key": newest.key };
  if (kept && daysLeft(kept["tls.crt"], clock) > CERTIFICATE_LEFT_DAYS_MIN) return { ...kept, ...bundle };
  // An authority that was made just now is not trusted by anybody yet.
  const signer = isGoodFor(CERTIFICATE_DAYS, known, clock) ? known : newest;
  return { ...bundle, ...issue(signer, options) };
}

function isGoodFor(days: number, authority: Authority | undefined, clock: Clock): authority is Authority {
  return authority !== undefined && daysLeft(authority.certificate, clock) > days;
}

/** The newest, and the older ones for as long as they live. */
function bundleOf(newest: Authority, kept: Kept | undefined, clock: Clock): string {
  const known = certificatesIn(kept?.["ca.crt"] ?? "");
  const older = known.filter((pem) => pem !== newest.certificate && daysLeft(pem, clock) > 0);
  return [newest.certificate, ...older].join("");
}

function issue(signer: Authority, options: SecretCertificatesOptions): Pick<Kept, "tls.crt" | "tls.key"> {
  const { key: secretKey, dnsNames, ipAddresses = [] } = options;
  const commonName = dnsNames[0] ?? secretKey.name;
  const request = { commonName, usage: "server", dnsNames, ipAddresses, days: CERTIFICATE_DAYS } as const;
  const { certificate, key } = signer.issue(request);
  return { "tls.crt": certificate, "tls.key": key };
}

function daysLeft(pem: string, clock: Clock): number {
  return (expiresAt(pem) - clock.now()) / DAY_MS;
}

function newAuthority({ name }: Key, clock: Clock): Authority {
  return createAuthority({ name: `${name}-ca`, clock, days: AUTHORITY_DAYS });
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----\n?/g;

function certificatesIn(bundle: string): readonly string[] {
  return bundle.match(CERTIFICATE) ?? [];
}

/** The newest authority stands first: it is the one whose key we have. */
function firstOf(bundle: string): string {
  return certificatesIn(bundle)[0] ?? bundle;
}

function decode({ data = {} }: Secret): Kept | undefined {
  const [caCertificate, caKey, certificate, key] = ["ca.crt", "ca.key", "tls.crt", "tls.key"].map((name) =>
    Buffer.from(data[name] ?? "", "base64").toString("utf8"),
  );
  if (!caCertificate || !caKey || !certificate || !key) return undefined;
  return { "ca.crt": caCertificate, "ca.key": caKey, "tls.crt": certificate, "tls.key": key };
}

function encode(kept: Kept): Record<string, string> {
  return Object.fromEntries(Object.entries(kept).map(([name, pem]) => [name, Buffer.from(pem).toString("base64")]));
}

function isSame(a: Kept, b: Kept): boolean {
  return (Object.keys(a) as (keyof Kept)[]).every((name) => a[name] === b[name]);
}

function emptySecret(key: Required<Key>): Secret {
  return { apiVersion: "v1", kind: "Secret", type: "kubernetes.io/tls", metadata: { ...key } };
}

function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}
