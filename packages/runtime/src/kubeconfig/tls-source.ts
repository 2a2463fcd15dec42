import type { TlsMaterial } from "../client/undici-transport.ts";
import type { ClusterEntry, UserEntry } from "./document.ts";
import type { ExecPlugin } from "./exec-plugin.ts";
import {
  checkAuthority,
  checkClientCertificate,
  contentOf,
  type FieldContext,
  type Piece,
  pieceOf,
} from "./material.ts";
import { WatchedFile } from "./watched-file.ts";

/** The certificates of one context, followed as files and the exec plugin renew them. */
export class TlsSource {
  readonly #cluster: ClusterEntry;
  readonly #trust: FieldContext;
  readonly #identity: FieldContext;
  readonly #exec: ExecPlugin | undefined;
  readonly #ca: Piece | undefined;
  readonly #cert: Piece | undefined;
  readonly #key: Piece | undefined;
  #current: TlsMaterial | undefined;

  constructor(
    { value: cluster, ...trust }: FieldContext & { readonly value: ClusterEntry },
    { value: user, ...identity }: FieldContext & { readonly value: UserEntry },
    exec: ExecPlugin | undefined,
  ) {
    this.#cluster = cluster;
    this.#trust = trust;
    this.#identity = identity;
    this.#exec = exec;
    this.#ca = pieceOf(trust, cluster, "certificate-authority");
    this.#cert = pieceOf(identity, user, "client-certificate");
    this.#key = pieceOf(identity, user, "client-key");
  }

  /** Nothing can change while we run. */
  get isFixed(): boolean {
    return this.#exec === undefined && ![this.#ca, this.#cert, this.#key].some((piece) => piece instanceof WatchedFile);
  }

  /** The same value for as long as the certificates are the same. */
  async current(): Promise<TlsMaterial> {
    const [ca, cert, key, given] = await Promise.all([
      contentOf(this.#ca, this.#trust.owner),
      contentOf(this.#cert, this.#identity.owner),
      contentOf(this.#key, this.#identity.owner),
      this.#exec?.credential(),
    ]);
    const own = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
    return this.#settle(given?.certificate ? { ...own, cert: given.certificate, key: given.key ?? "" } : own);
  }

  #settle(material: TlsMaterial): TlsMaterial {
    const serverName = this.#cluster["tls-server-name"];
    const isInsecure = this.#cluster["insecure-skip-tls-verify"] ?? false;
    const next = { ...material, ...(serverName !== undefined && { serverName }), isInsecure };
    if (this.#current !== undefined && isSame(this.#current, next)) return this.#current;
    checkAuthority(next, this.#trust.owner);
    checkClientCertificate(next, this.#identity.owner);
    this.#current = next;
    return next;
  }
}

function isSame(left: TlsMaterial, right: TlsMaterial): boolean {
  return left.ca === right.ca && left.cert === right.cert && left.key === right.key;
}
