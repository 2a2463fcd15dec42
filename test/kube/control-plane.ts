// A Kubernetes control plane of one's own on loopback: etcd and the API server, on request the controller manager, the
// scheduler and KWOK.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureAssets } from "./assets.ts";
import { type AuditLevel, auditPolicy } from "./audit-log.ts";
import { ClusterAccess, type Coordinates, readAdmin } from "./cluster-access.ts";
import { Authority } from "./credentials.ts";
import { apiServerFlags, controllerManagerFlags, ETCD_SOCKET, etcdFlags, schedulerFlags } from "./flags.ts";
import { freePort } from "./free-port.ts";
import { Part } from "./part.ts";
import { until } from "./until.ts";
import { Watchdog } from "./watchdog.ts";

const LOGS = fileURLToPath(new URL("../../.test-logs/", import.meta.url));

export interface ControlPlaneOptions {
  /** Names its logs. */
  readonly name?: string;
  readonly controllerManager?: boolean;
  readonly scheduler?: boolean;
  readonly audit?: AuditLevel;
  /** More flags for the API server, such as `--feature-gates=WatchList=false`. */
  readonly apiServerFlags?: readonly string[];
}

export type PartName = "etcd" | "kube-apiserver" | "kube-controller-manager" | "kube-scheduler" | "kwok";

export class ControlPlane extends ClusterAccess {
  readonly logs: string;
  readonly #watchdog: Watchdog;
  readonly #parts = new Map<PartName, Part>();

  private constructor(
    coordinates: Coordinates,
    admin: Awaited<ReturnType<typeof readAdmin>>,
    logs: string,
    watchdog: Watchdog,
  ) {
    super(coordinates, ...admin);
    this.logs = logs;
    this.#watchdog = watchdog;
  }

  static async start(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
    const { name = "plane", audit } = options;
    const assets = await ensureAssets(process.env, (line) => console.error(line));
    const folder = await mkdtemp(join(tmpdir(), `chaski-${name}-`));
    const watchdog = new Watchdog(folder);
    const port = await freePort();
    const coordinates = { server: `https://127.0.0.1:${port}`, folder, assets };
    const [logs] = await Promise.all([makeLogFolder(name), issueCertificates(folder)]);
    if (audit) await writeFile(join(folder, "audit-policy.json"), auditPolicy(audit));
    const plane = new ControlPlane(coordinates, await readAdmin(coordinates), logs, watchdog);
    try {
      await plane.#startParts(options, port);
    } catch (error) {
      await plane.stop({ keepLogs: true });
      throw error;
    }
    return plane;
  }

  async #startParts(options: ControlPlaneOptions, port: number): Promise<void> {
    const { folder } = this.coordinates;
    const { controllerManager = false, scheduler = false, audit } = options;
    const apiServer = apiServerFlags({
      folder,
      port,
      hasAudit: audit !== undefined,
      hasServiceAccounts: controllerManager,
    });
    this.#start("etcd", etcdFlags(folder));
    await until(() => existsSync(join(folder, ETCD_SOCKET)) || undefined, { what: "etcd opens its socket" });
    this.#start("kube-apiserver", [...apiServer, ...(options.apiServerFlags ?? [])]);
    await this.ready();
    if (controllerManager) {
      this.#start("kube-controller-manager", controllerManagerFlags(folder, this.admin.kubeconfigPath));
    }
    if (scheduler) this.#start("kube-scheduler", schedulerFlags(this.admin.kubeconfigPath));
  }

  #start(name: PartName, flags: readonly string[], env: Record<string, string> = {}): void {
    const command = join(this.coordinates.assets, name);
    const part = new Part(
      { name, command, flags, env, folder: this.coordinates.folder, logFile: join(this.logs, `${name}.log`) },
      this.#watchdog,
    );
    this.#parts.set(name, part);
    part.start();
  }

  /** Waits until the API server says so; fails at once when it or etcd has ended. */
  async ready(): Promise<void> {
    await until(
      async () => {
        for (const name of ["etcd", "kube-apiserver"] as const) {
          const part = this.part(name);
          if (!part.isRunning) throw new Error(`${name} has ended:\n${part.tail()}`);
        }
        return (await this.isReady()) || undefined;
      },
      { what: "the API server is ready", withinMs: 90_000 },
    );
  }

  part(name: PartName): Part {
    const part = this.#parts.get(name);
    if (!part) throw new Error(`this control plane was started without ${name}`);
    return part;
  }

  /** SIGKILL; the data stays. */
  async kill(name: PartName): Promise<void> {
    await this.part(name).kill();
  }

  /** Starts a part again (killing it first if it runs) with the same flags, port and data, and waits until it is ready. */
  async restart(name: PartName): Promise<void> {
    const part = this.part(name);
    await part.kill();
    part.start();
    await this.ready();
  }

  /** SIGSTOP: it keeps its connections and answers nothing. */
  pause(name: PartName): void {
    this.part(name).pause();
  }

  resume(name: PartName): void {
    this.part(name).resume();
  }

  async stop({ keepLogs = false }: { readonly keepLogs?: boolean } = {}): Promise<void> {
    this.close();
    const parts = [...this.#parts.values()];
    const hasFailed = parts.some((part) => part.hasFailed);
    await Promise.all(parts.map((part) => part.kill()));
    await this.#watchdog.finish();
    if (keepLogs || hasFailed) console.error(`logs of the control plane: ${this.logs}`);
    else await rm(this.logs, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  return ControlPlane.start(options);
}

async function makeLogFolder(name: string): Promise<string> {
  await mkdir(LOGS, { recursive: true });
  return mkdtemp(join(LOGS, `${name}-`));
}

async function issueCertificates(folder: string): Promise<void> {
  await mkdir(join(folder, "pki"));
  const authority = new Authority(join(folder, "pki"));
  await authority.create();
  await Promise.all([
    authority.issue("apiserver", {
      commonName: "kube-apiserver",
      alternativeNames: ["DNS:localhost", "DNS:kubernetes.default.svc", "IP:127.0.0.1"],
    }),
    authority.issue("admin", { commonName: "admin", organizations: ["system:masters"] }),
    authority.issue("service-accounts", { commonName: "service-accounts" }),
  ]);
}
