// Runs pods without running anything: says of each what a kubelet would, when it would.
import { type ContainerState, type ContainerStateTerminated, keyOf, Node, Pod, parseKey } from "@chaski/kube";
import { formatTime } from "../../codec/times.ts";
import { equalJson } from "../../schema/json.ts";
import type { Access } from "../access.ts";
import type { ControllerParts } from "../cluster-state.ts";
import type { PodBehaviour, PodFilter, WorkloadsOptions } from "../options.ts";
import { isBeingDeleted } from "../ownership.ts";
import type { Recorder } from "../recorder.ts";
import type { WorkQueue } from "../workbench.ts";
import { type Exit, Life } from "./life.ts";
import { hasEnded, timeOf } from "./pod-facts.ts";
import { type PodReport, withReport } from "./pod-status.ts";

export class Kubelet {
  readonly #access: Access;
  readonly #recorder: Recorder;
  readonly #options: WorkloadsOptions;
  readonly #queue: WorkQueue;
  readonly #lives = new Map<string, Life>();
  readonly #ips = new Map<string, string>();
  readonly #holds = new Set<PodFilter>();
  #nextIp = 1;

  constructor({ access, recorder, workbench }: ControllerParts, options: WorkloadsOptions) {
    this.#access = access;
    this.#recorder = recorder;
    this.#options = options;
    this.#queue = workbench.queue((key) => this.#sync(key));
  }

  start(): void {
    this.#access.watch(Pod, ({ before, after }) => {
      if (after) this.#queue.add(keyOf(after.metadata));
      else if (before) this.#forget(before);
    });
  }

  hold(filter: PodFilter): void {
    this.#holds.add(filter);
  }

  release(filter?: PodFilter): void {
    if (filter) this.#holds.delete(filter);
    else this.#holds.clear();
    for (const pod of this.#running(() => true)) this.#queue.add(keyOf(pod.metadata));
  }

  judge(filter: PodFilter, isReady: boolean): void {
    for (const pod of this.#running(filter)) {
      this.#lives.get(uidOf(pod))?.judge(isReady);
      this.#queue.add(keyOf(pod.metadata));
    }
  }

  crash(filter: PodFilter): void {
    for (const pod of this.#running(filter)) {
      this.#lives.get(uidOf(pod))?.crash(this.#access.nowMs);
      this.#queue.add(keyOf(pod.metadata));
    }
  }

  async fail(filter: PodFilter): Promise<void> {
    for (const pod of this.#running(filter)) {
      const life = this.#lives.get(uidOf(pod));
      if (!life) continue;
      const exit = { startedMs: life.startedMs, finishedMs: this.#access.nowMs };
      const report = { ...this.#reportOf(pod, life), phase: "Failed", isReady: false } as const;
      await this.#write(pod, { ...report, state: { terminated: terminated(exit) } });
    }
  }

  #running(filter: PodFilter): Pod[] {
    return this.#access.list(Pod).filter((pod) => this.#lives.has(uidOf(pod)) && filter(pod));
  }

  async #sync(key: string): Promise<void> {
    const pod = this.#access.get(Pod, parseKey(key));
    if (!pod?.spec?.nodeName || hasEnded(pod)) return;
    if (isBeingDeleted(pod)) return this.#end(pod);
    const { nowMs } = this.#access;
    const life = this.#lives.get(uidOf(pod)) ?? new Life(nowMs);
    this.#lives.set(uidOf(pod), life);
    const isHeld = [...this.#holds].some((holds) => holds(pod));
    const dueMs = life.live({ nowMs, behaviour: this.#behaviourOf(pod), isHeld });
    if (dueMs !== undefined) this.#queue.addAfter(key, dueMs - nowMs);
    await this.#write(pod, this.#reportOf(pod, life));
    if (life.takeTrouble()) await this.#tellTrouble(pod, life);
  }

  #behaviourOf(pod: Pod): PodBehaviour & { readonly readyAfterMs: number } {
    return { readyAfterMs: this.#options.readyAfterMs ?? 0, ...this.#options.rules?.(pod) };
  }

  /** A deleted pod's containers end within its grace period; then the pod goes. */
  #end(pod: Pod): void {
    const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata;
    const graceMs = deletionGracePeriodSeconds * 1_000;
    const endsAfterMs = Math.min(this.#behaviourOf(pod).endsAfterMs ?? 0, graceMs);
    const waitMs = timeOf(deletionTimestamp) - graceMs + endsAfterMs - this.#access.nowMs;
    if (endsAfterMs > 0 && waitMs > 0) this.#queue.addAfter(keyOf(pod.metadata), waitMs);
    else this.#access.remove(Pod, pod, { gracePeriodSeconds: 0 });
  }

  #forget(pod: Pod): void {
    this.#lives.delete(uidOf(pod));
    this.#ips.delete(uidOf(pod));
  }

  async #write(pod: Pod, report: PodReport): Promise<void> {
    const { now } = this.#access;
    const next = withReport(pod, report, now);
    if (equalJson(next.status, pod.status)) return;
    await this.#access.edit(Pod, pod.metadata, (live) => withReport(live, report, now), "status");
  }

  #reportOf(pod: Pod, life: Life): PodReport {
    const { stage, restarts, lastExit } = life;
    return {
      phase: life.hasRun ? "Running" : "Pending",
      isReady: stage.kind === "running" && stage.isReady,
      restarts,
      state: stateOf(pod, life),
      lastState: lastExit ? { terminated: terminated(lastExit) } : {},
      startTime: formatTime(life.startedMs),
      podIp: life.hasRun ? this.#ipOf(pod) : undefined,
      hostIp: this.#hostIpOf(pod),
    };
  }

  #ipOf(pod: Pod): string {
    const known = this.#ips.get(uidOf(pod));
    if (known !== undefined) return known;
    const number = this.#nextIp++;
    const ip = `10.${64 + (number >> 16)}.${(number >> 8) & 0xff}.${number & 0xff}`;
    this.#ips.set(uidOf(pod), ip);
    return ip;
  }

  #hostIpOf({ spec }: Pod): string {
    const node = this.#access.get(Node, { name: spec?.nodeName ?? "" });
    return node?.status?.addresses?.find(({ type }) => type === "InternalIP")?.address ?? "127.0.0.1";
  }

  async #tellTrouble(pod: Pod, { stage }: Life): Promise<void> {
    const [container] = pod.spec?.containers ?? [];
    const { name, namespace, uid } = pod.metadata;
    const message =
      stage.kind === "unpulled"
        ? `Back-off pulling image "${container?.image}"`
        : `Back-off restarting failed container ${container?.name} in pod ${name}_${namespace}(${uid})`;
    await this.#recorder.record(Pod, pod, { type: "Warning", reason: "BackOff", message });
  }
}

function uidOf({ metadata }: Pod): string {
  return metadata.uid ?? "";
}

function stateOf(pod: Pod, { stage }: Life): ContainerState {
  const [container] = pod.spec?.containers ?? [];
  switch (stage.kind) {
    case "running":
      return { running: { startedAt: formatTime(stage.sinceMs) } };
    case "unpulled":
      return { waiting: { reason: "ErrImagePull", message: notFound(container?.image) } };
    case "pulling": {
      const message = `Back-off pulling image "${container?.image}": ErrImagePull: ${notFound(container?.image)}`;
      return { waiting: { reason: "ImagePullBackOff", message } };
    }
    default: {
      const message = `back-off ${stage.waitMs / 1_000}s restarting failed container=${container?.name} pod=${keyOf(pod.metadata)}`;
      return { waiting: { reason: "CrashLoopBackOff", message } };
    }
  }
}

/** As containerd has it from a registry that does not know the tag. */
function notFound(image = ""): string {
  return `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`;
}

function terminated({ startedMs, finishedMs }: Exit): ContainerStateTerminated {
  return { exitCode: 1, reason: "Error", startedAt: formatTime(startedMs), finishedAt: formatTime(finishedMs) };
}
