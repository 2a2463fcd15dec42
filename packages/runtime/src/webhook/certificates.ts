import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, Timer } from "@chaski/clock";

/** PEM. */
export interface ServingCertificate {
  readonly certificate: string;
  readonly key: string;
  /** What clients have to trust, where that is ours to say. */
  readonly caBundle?: string;
}

/** Where a server's certificate comes from, and its successors. */
export interface ServingCertificates {
  current(): Promise<ServingCertificate>;
  onChange(listener: (certificate: ServingCertificate) => void): () => void;
  stop(): void;
}

export interface CertificateLoop {
  readonly clock: Clock;
  readonly everyMs: number;
  load(): Promise<ServingCertificate>;
  /** A certificate that can't be had or read: the one in use stays. */
  onError(error: unknown): void;
}

/** Loads again and again, and tells when something else came. */
export class PolledCertificates implements ServingCertificates {
  readonly #loop: CertificateLoop;
  readonly #listeners = new Set<(certificate: ServingCertificate) => void>();
  #current: ServingCertificate | undefined;
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(loop: CertificateLoop) {
    this.#loop = loop;
  }

  /** The first time, loads; fails if there is none. */
  async current(): Promise<ServingCertificate> {
    if (this.#current) return this.#current;
    this.#current = await this.#load();
    this.#schedule();
    return this.#current;
  }

  onChange(listener: (certificate: ServingCertificate) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = this.#loop.clock.after(this.#loop.everyMs, () => {
      void this.#reload().then(() => this.#schedule());
    });
  }

  async #load(): Promise<ServingCertificate> {
    const loaded = await this.#loop.load();
    checkPair(loaded);
    return loaded;
  }

  async #reload(): Promise<void> {
    try {
      const loaded = await this.#load();
      if (isSame(loaded, this.#current)) return;
      this.#current = loaded;
      for (const listener of this.#listeners) listener(loaded);
    } catch (error) {
      this.#loop.onError(error);
    }
  }
}

const FILES_EVERY_MS = 10_000;

/** `tls.crt` and `tls.key` (and `ca.crt`) in a directory, as cert-manager's Secrets are mounted. */
export function fileCertificates(
  directory: string,
  options: Pick<CertificateLoop, "clock" | "onError">,
): ServingCertificates {
  const read = (file: string): Promise<string> => readFile(join(directory, file), "utf8");
  return new PolledCertificates({
    ...options,
    everyMs: FILES_EVERY_MS,
    load: async () => {
      const [certificate, key] = await Promise.all([read("tls.crt"), read("tls.key")]);
      const caBundle = await read("ca.crt").catch(() => undefined);
      return { certificate, key, ...(caBundle !== undefined && { caBundle }) };
    },
  });
}

/** While files are exchanged one by one, certificate and key may for a moment belong to different pairs. */
function checkPair({ certificate, key }: ServingCertificate): void {
  const parsed = new X509Certificate(certificate);
  if (!parsed.checkPrivateKey(createPrivateKey(key))) throw new Error("the key does not belong to the certificate");
}

function isSame(a: ServingCertificate, b: ServingCertificate | undefined): boolean {
  return a.certificate === b?.certificate && a.key === b.key && a.caBundle === b.caBundle;
}
