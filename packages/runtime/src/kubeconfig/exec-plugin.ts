import { dirname, isAbsolute, join } from "node:path";
import type { Credentials } from "../client/credentials.ts";
import type { ExecEntry } from "./document.ts";
import { KubeconfigError } from "./errors.ts";
import type { Machine } from "./machine.ts";
import { codeOf } from "./token-file.ts";

const VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];
const TIME_LIMIT_MS = 60_000;
/** Asked for anew this long before it expires, so that a request under way does not outlive it. */
const EXPIRY_MARGIN_MS = 60_000;

export interface ExecCredential {
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly expiresAtMs: number | undefined;
}

interface ExecStatus {
  readonly token?: unknown;
  readonly clientCertificateData?: unknown;
  readonly clientKeyData?: unknown;
  readonly expirationTimestamp?: unknown;
}

export interface ExecSettings {
  readonly entry: ExecEntry;
  /** Names user and file in messages. */
  readonly owner: string;
  readonly source: string;
  /** Handed to the program where `provideClusterInfo` asks for it. */
  readonly cluster: () => Promise<Readonly<Record<string, unknown>>>;
}

/** A program that prints a token or a certificate; run once for all who wait, and again before what it printed expires. */
export class ExecPlugin implements Credentials {
  readonly #machine: Machine;
  readonly #settings: ExecSettings;
  #credential: ExecCredential | undefined;
  #running: Promise<ExecCredential> | undefined;

  constructor(machine: Machine, settings: ExecSettings) {
    const { apiVersion, command, interactiveMode } = settings.entry;
    if (!VERSIONS.includes(apiVersion ?? "")) {
      throw unsupported(settings, `its exec plugin needs apiVersion ${VERSIONS.join(" or ")}`);
    }
    if (command === undefined) throw unsupported(settings, "its exec plugin names no command; add one");
    if (interactiveMode === "Always") {
      throw unsupported(settings, `its exec plugin ${command} needs a terminal; set interactiveMode to IfAvailable`);
    }
    this.#machine = machine;
    this.#settings = settings;
  }

  async authorization(): Promise<string | undefined> {
    const { token } = await this.credential();
    return token === undefined ? undefined : `Bearer ${token}`;
  }

  /** Only what was refused is forgotten: another call may have fetched a new one meanwhile. */
  refuse(authorization: string | undefined): boolean {
    const { token } = this.#credential ?? {};
    if (token === undefined || authorization === `Bearer ${token}`) this.#credential = undefined;
    return true;
  }

  async credential(): Promise<ExecCredential> {
    const { expiresAtMs = Number.POSITIVE_INFINITY } = this.#credential ?? {};
    if (this.#credential && expiresAtMs - EXPIRY_MARGIN_MS > this.#machine.clock.now()) return this.#credential;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #run(): Promise<ExecCredential> {
    const { entry, owner } = this.#settings;
    using limit = this.#machine.clock.deadline(TIME_LIMIT_MS);
    const options = { env: await this.#environment(), signal: limit.signal };
    const output = await this.#machine.run(this.#command(), entry.args ?? [], options).catch((error: unknown) => {
      throw this.#failed(limit.signal.aborted ? `did not end within ${TIME_LIMIT_MS / 1_000} s` : causeOf(error));
    });
    const credential = parseCredential(output, entry.apiVersion);
    if (credential === undefined) throw this.#failed(`printed no ExecCredential of ${entry.apiVersion} for ${owner}`);
    this.#credential = credential;
    return credential;
  }

  #command(): string {
    const { entry, source } = this.#settings;
    const command = entry.command ?? "";
    return command.includes("/") && !isAbsolute(command) ? join(dirname(source), command) : command;
  }

  async #environment(): Promise<Readonly<Record<string, string | undefined>>> {
    const { entry, cluster } = this.#settings;
    const spec = { interactive: false, ...(entry.provideClusterInfo && { cluster: await cluster() }) };
    return {
      ...this.#machine.env,
      ...Object.fromEntries((entry.env ?? []).map(({ name, value }) => [name, value])),
      KUBERNETES_EXEC_INFO: JSON.stringify({ apiVersion: entry.apiVersion, kind: "ExecCredential", spec }),
    };
  }

  /** What the program printed stays out of the message: it may hold a secret. */
  #failed(what: string): KubeconfigError {
    const { entry, owner } = this.#settings;
    const hint = entry.installHint === undefined ? "run it by hand to see why" : entry.installHint.trim();
    return new KubeconfigError("ExecFailed", `${owner}: its exec plugin ${entry.command} ${what}; ${hint}`);
  }
}

function unsupported({ owner }: ExecSettings, what: string): KubeconfigError {
  return new KubeconfigError("Unsupported", `${owner}: ${what}`);
}

function causeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "is not installed";
  return typeof code === "number" ? `ended with exit code ${code}` : `could not be run (${codeOf(error)})`;
}

function parseCredential(output: string, apiVersion: string | undefined): ExecCredential | undefined {
  try {
    const parsed = JSON.parse(output) as { apiVersion?: unknown; kind?: unknown; status?: ExecStatus } | null;
    if (parsed?.kind !== "ExecCredential" || parsed.apiVersion !== apiVersion) return undefined;
    return credentialFrom(parsed.status ?? {});
  } catch {
    return undefined;
  }
}

function credentialFrom(status: ExecStatus): ExecCredential | undefined {
  const { token, clientCertificateData: certificate, clientKeyData: key, expirationTimestamp } = status;
  const expiresAtMs = typeof expirationTimestamp === "string" ? Date.parse(expirationTimestamp) : undefined;
  const hasToken = typeof token === "string" && token !== "";
  const hasCertificate = typeof certificate === "string" && typeof key === "string";
  if ((!hasToken && !hasCertificate) || Number.isNaN(expiresAtMs)) return undefined;
  return { ...(hasToken && { token }), ...(hasCertificate && { certificate, key }), expiresAtMs };
}
