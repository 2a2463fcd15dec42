// A Kubernetes control plane of one's own on loopback: etcd and the API server, on request the controller manager, the
// scheduler and KWOK.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureAssets } from "./assets.ts";
import type { Binary } from "./assets-versions.ts";
import { type AuditLevel, auditPolicy } from "./audit-log.ts";
import { ClusterAccess, type Coordinates } from "./cluster-access.ts";
import { type Credentials, createCredentials, readCredentials } from "./credentials.ts";
import { apiServerFlags, controllerManagerFlags, ETCD_SOCKET, etcdFlags, kwokFlags, schedulerFlags } from "./flags.ts";
import { freePort } from "./free-port.ts";
import { addFakeNode, writeStages } from "./kwok.ts";
import { Part, type PartDefinition } from "./part.ts";
import { until } from "./until.ts";
import { Watchdog } from "./watchdog.ts";

const START_ATTEMPTS = 5;
/** More than its caller's, of the 40 steps that there are. */
const SHY = 20;
const LOGS = fileURLToPath(new URL("../../.test-logs/", import.meta.url));

export interface ControlPlaneOptions {
  /** Names its logs. */
  readonly name?: string;
  readonly controllerManager?: boolean;
  readonly scheduler?: boolean;
  /** Pods on its nodes become ready by themselves; it starts with the node `node-1`. */
  readonly kwok?: boolean;
  readonly audit?: AuditLevel;
  /** More flags for the API server, such as `--feature-gates=WatchList=false`. */
  readonly apiServerFlags?: readonly string[];
  readonly controllerManagerFlags?: readonly string[];
  /** Controllers, scheduler and kubelets leave the cores to servers and clients, as if they had machines of their own. */
  readonly hasShyControllers?: boolean;
}

export type PartName = Exclude<Binary, "kubectl">;

export class ControlPlane extends ClusterAccess {
  /** The folder that each part logs to. */
  readonly logs: string;
  readonly #watchdog: Watchdog;
  readonly #parts = new Map<PartName, Part>();

  private constructor(coordinates: Coordinates, credentials: Credentials, own: { logs: string; watchdog: Watchdog }) {
    super(coordinates, credentials);
    this.logs = own.logs;
    this.#watchdog = own.watchdog;
  }

  static async start(options: ControlPlaneOptions): Promise<ControlPlane> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ControlPlane.#startOnce(options);
      } catch (error) {
        if (!isPortTaken(error) || attempt === START_ATTEMPTS) throw error;
      }
    }
  }

  static async #startOnce(options: ControlPlaneOptions): Promise<ControlPlane> {
    const { name = "plane", audit } = options;
    const log = (line: string): void => console.error(line);
    const assets = await ensureAssets({ env: process.env, needed: neededBinaries(options), log });
    const folder = await mkdtemp(join(tmpdir(), `chaski-${name}-`));
    const watchdog = new Watchdog(folder);
    await createCredentials(folder);
    if (audit) await writeFile(join(folder, "audit-policy.json"), auditPolicy(audit));
    const port = await freePort();
    const coordinates = { server: `https://127.0.0.1:${port}`, folder, assets };
    const own = { logs: await makeLogFolder(name), watchdog };
    const plane = new ControlPlane(coordinates, await readCredentials(folder), own);
    try {
      await plane.#startServers(options, port);
      await plane.#startControllers(options);
    } catch (error) {
      await plane.stop({ keepLogs: true });
      throw error;
    }
    return plane;
  }

  async #startServers(options: ControlPlaneOptions, port: number): Promise<void> {
    const { folder } = this.coordinates;
    const { controllerManager = false, audit } = options;
    const flags = apiServerFlags({
      folder,
      port,
      hasAudit: audit !== undefined,
      hasServiceAccounts: controllerManager,
    });
    this.#start("etcd", etcdFlags(folder));
    await until(() => existsSync(join(folder, ETCD_SOCKET)) || undefined, { what: "etcd opens its socket" });
    this.#start("kube-apiserver", [...flags, ...(options.apiServerFlags ?? [])]);
    await this.ready();
  }

  async #startControllers(options: ControlPlaneOptions): Promise<void> {
    const { controllerManager, scheduler, kwok = false, hasShyControllers = false } = options;
    const { folder } = this.coordinates;
    const { kubeconfigPath } = this.admin;
    const start = (name: PartName, flags: readonly string[]): void =>
      this.#start(name, flags, hasShyControllers ? { niceness: SHY } : {});
    if (controllerManager) {
      start("kube-controller-manager", [
        ...controllerManagerFlags({ folder, kubeconfigPath, hasKubelets: kwok }),
        ...(options.controllerManagerFlags ?? []),
      ]);
    }
    if (scheduler) start("kube-scheduler", schedulerFlags(kubeconfigPath));
    if (kwok) {
      start("kwok", kwokFlags(kubeconfigPath, await writeStages(folder)));
      await this.addNode("node-1");
    }
  }

  #start(name: PartName, flags: readonly string[], scheduling: Pick<PartDefinition, "niceness"> = {}): void {
    const { assets, folder } = this.coordinates;
    const logFile = join(this.logs, `${name}.log`);
    const command = join(assets, name);
    const part = new Part({ name, command, flags, folder, logFile, ...scheduling }, this.#watchdog);
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

  /** A fake node for KWOK; ready when this returns. */
  async addNode(name: string): Promise<void> {
    await addFakeNode(this, name);
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
    for (let attempt = 1; ; attempt++) {
      part.start();
      try {
        return await this.ready();
      } catch (error) {
        if (!isPortTaken(error) || attempt === START_ATTEMPTS) throw error;
      }
    }
  }

  /** SIGSTOP: it keeps its connections and answers nothing. */
  async pause(name: PartName): Promise<void> {
    await this.part(name).pause();
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

/** Between the choice of a port and its use, somebody's outgoing connection may have got it. */
function isPortTaken(error: unknown): boolean {
  return String(error).includes("address already in use");
}

function neededBinaries({ controllerManager, scheduler, kwok }: ControlPlaneOptions): Binary[] {
  const optional = { "kube-controller-manager": controllerManager, "kube-scheduler": scheduler, kwok } as const;
  const wanted = Object.entries(optional).flatMap(([binary, isWanted]) => (isWanted ? [binary as Binary] : []));
  return ["etcd", "kube-apiserver", ...wanted];
}

async function makeLogFolder(name: string): Promise<string> {
  await mkdir(LOGS, { recursive: true });
  return mkdtemp(join(LOGS, `${name}-`));
}
