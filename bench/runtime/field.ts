// What both sides meet: one API server, the same objects, the same writer.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ControlPlane, startControlPlane } from "@chaski/test/kube";
import { buildAnchor } from "./anchor.ts";
import { MeasuredProcess } from "./measured-process.ts";

/**
 * How a long-running process of ours is to be started: with V8's default of 32 MB a young generation grows for as long as
 * events come, and takes a hundred megabytes before it is flat.
 */
const NODE_FLAGS = ["--max-semi-space-size=8", "--expose-gc"];

export type Side = "ours" | "go-json" | "go-default";
export type BenchKind = "ReplicaSet" | "ConfigMap";

export interface WriteReport {
  readonly writes: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export class Field {
  readonly objects: number;
  readonly #plane: ControlPlane;
  readonly #anchor: string;

  private constructor(plane: ControlPlane, objects: number, anchor: string) {
    this.#plane = plane;
    this.objects = objects;
    this.#anchor = anchor;
  }

  static async create(objects: number, log: (line: string) => void): Promise<Field> {
    const plane = await startControlPlane({ name: "bench" });
    log("building the Go anchor");
    const field = new Field(plane, objects, await buildAnchor(plane.coordinates.folder));
    log(`making ${objects} ReplicaSets and ConfigMaps`);
    await field.#runToEnd(["populate", `-kubeconfig=${plane.admin.kubeconfigPath}`, `-count=${objects}`]);
    await field.#fillCompileCache();
    return field;
  }

  /** A reader that is loaded and starts at the word `start`, so that what is measured is the informer. */
  async informer(side: Side, kind: BenchKind): Promise<MeasuredProcess> {
    const reader = side === "ours" ? this.#ours("our-informer.ts", [this.#kubeconfig, kind]) : this.#go(side, kind);
    await reader.hear<{ isLoaded: true }>();
    return reader;
  }

  queue(side: "ours" | "go", keys: number, rounds: number): MeasuredProcess {
    return side === "ours"
      ? this.#ours("our-queue.ts", [String(keys), String(rounds)])
      : new MeasuredProcess(this.#anchor, ["queue", `-keys=${keys}`, `-rounds=${rounds}`]);
  }

  /** Writes to the ConfigMaps, so many a second. */
  async write(count: number, ratePerSecond: number): Promise<WriteReport> {
    const flags = [`-objects=${this.objects}`, `-count=${count}`, `-rate=${ratePerSecond}`];
    await using writer = new MeasuredProcess(this.#anchor, ["write", `-kubeconfig=${this.#kubeconfig}`, ...flags]);
    return await writer.hear<WriteReport>();
  }

  /** Updates small ConfigMaps beside the others as fast as the server can. */
  async churn(count: number): Promise<void> {
    await this.#runToEnd(["churn", `-kubeconfig=${this.#kubeconfig}`, `-count=${count}`]);
  }

  get #kubeconfig(): string {
    return this.#plane.admin.kubeconfigPath;
  }

  /** With a cache of compiled modules, as installed packages are plain JavaScript too. */
  #ours(file: string, args: readonly string[]): MeasuredProcess {
    const program = fileURLToPath(new URL(file, import.meta.url));
    const env = { ...process.env, NODE_COMPILE_CACHE: join(this.#plane.coordinates.folder, "compiled") };
    return new MeasuredProcess(process.execPath, [...NODE_FLAGS, program, ...args], { env });
  }

  #go(side: "go-json" | "go-default", kind: BenchKind): MeasuredProcess {
    const content = side === "go-json" ? "json" : "default";
    const flags = [`-kubeconfig=${this.#kubeconfig}`, `-kind=${kind}`, `-content=${content}`];
    return new MeasuredProcess(this.#anchor, ["informer", ...flags]);
  }

  async #fillCompileCache(): Promise<void> {
    const reader = this.#ours("our-informer.ts", [this.#kubeconfig, "ConfigMap"]);
    await reader.hear();
    reader.closeInput();
    await reader.exited();
  }

  async #runToEnd(args: readonly string[]): Promise<void> {
    const process = new MeasuredProcess(this.#anchor, args);
    const code = await process.exited();
    if (code !== 0) throw new Error(`anchor ${args[0]} ended with ${code}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#plane.stop();
  }
}
