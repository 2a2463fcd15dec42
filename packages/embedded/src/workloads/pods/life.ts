// What becomes of one pod's containers, from the first pull of the image on.
import type { PodBehaviour } from "../options.ts";

const FIRST_BACK_OFF_MS = 10_000;
const LONGEST_BACK_OFF_MS = 300_000;
/** From a failed pull until the kubelet looks at the pod again. */
const NEXT_LOOK_MS = 1_000;

export type Stage =
  | { readonly kind: "pulling"; readonly untilMs: number }
  /** The image can't be pulled; told for a moment, then waited out. */
  | { readonly kind: "unpulled"; readonly untilMs: number; readonly againMs: number }
  | { readonly kind: "running"; readonly sinceMs: number; readonly isReady: boolean }
  | { readonly kind: "backing-off"; readonly untilMs: number; readonly waitMs: number };

export interface Exit {
  readonly startedMs: number;
  readonly finishedMs: number;
}

export interface Surroundings {
  readonly nowMs: number;
  readonly behaviour: Required<Pick<PodBehaviour, "readyAfterMs">> & PodBehaviour;
  /** Whether the caller keeps it from becoming ready. */
  readonly isHeld: boolean;
}

export class Life {
  readonly startedMs: number;
  #stage: Stage;
  #attempts = 0;
  #restarts = 0;
  #lastExit: Exit | undefined;
  #verdict: boolean | undefined;
  #isTroubled = false;

  constructor(nowMs: number) {
    this.startedMs = nowMs;
    this.#stage = { kind: "pulling", untilMs: nowMs };
  }

  get stage(): Stage {
    return this.#stage;
  }

  get restarts(): number {
    return this.#restarts;
  }

  get lastExit(): Exit | undefined {
    return this.#lastExit;
  }

  get hasRun(): boolean {
    return this.#stage.kind === "running" || this.#restarts > 0;
  }

  /** Whether a pull or a run has failed since this was last asked. */
  takeTrouble(): boolean {
    const isTroubled = this.#isTroubled;
    this.#isTroubled = false;
    return isTroubled;
  }

  /** Takes readiness out of the pod's own hands. */
  judge(isReady: boolean): void {
    this.#verdict = isReady;
  }

  /** Lets everything happen that is due; when there is more to come. */
  live(surroundings: Surroundings): number | undefined {
    for (let dueMs = this.#due(surroundings); ; dueMs = this.#due(surroundings)) {
      if (dueMs === undefined || dueMs > surroundings.nowMs) return dueMs;
      this.#step(surroundings);
    }
  }

  /** The containers end with an error, and are started again: at once the first time, later and later after that. */
  crash(nowMs: number): void {
    if (this.#stage.kind !== "running") return;
    this.#lastExit = { startedMs: this.#stage.sinceMs, finishedMs: nowMs };
    const waitMs = this.#restarts === 0 ? 0 : backOff(this.#restarts - 1);
    this.#stage = { kind: "backing-off", untilMs: nowMs + waitMs, waitMs };
    this.#isTroubled = waitMs > 0;
  }

  #due({ behaviour, isHeld }: Surroundings): number | undefined {
    const stage = this.#stage;
    if (stage.kind !== "running") return stage.untilMs;
    const crashMs = stage.sinceMs + (behaviour.crashesAfterMs ?? Infinity);
    const readyMs = this.#readyMs(stage, { behaviour, isHeld });
    const dueMs = Math.min(crashMs, readyMs);
    return dueMs === Infinity ? undefined : dueMs;
  }

  #readyMs(
    { sinceMs, isReady }: { sinceMs: number; isReady: boolean },
    { behaviour, isHeld }: Pick<Surroundings, "behaviour" | "isHeld">,
  ): number {
    if (this.#verdict !== undefined) return this.#verdict === isReady ? Infinity : sinceMs;
    return isReady || isHeld ? Infinity : sinceMs + behaviour.readyAfterMs;
  }

  #step({ nowMs, behaviour }: Surroundings): void {
    const stage = this.#stage;
    if (stage.kind === "unpulled") this.#stage = { kind: "pulling", untilMs: stage.againMs };
    else if (stage.kind === "pulling" && behaviour.isImageMissing) this.#failToPull(nowMs);
    else if (stage.kind === "running") this.#runOn(stage, nowMs, behaviour);
    else this.#run(nowMs, stage.kind === "backing-off");
  }

  #failToPull(nowMs: number): void {
    this.#stage = { kind: "unpulled", untilMs: nowMs + NEXT_LOOK_MS, againMs: nowMs + backOff(this.#attempts++) };
    this.#isTroubled = true;
  }

  #run(nowMs: number, isRestart: boolean): void {
    if (isRestart) this.#restarts++;
    this.#stage = { kind: "running", sinceMs: nowMs, isReady: false };
  }

  #runOn(stage: Extract<Stage, { kind: "running" }>, nowMs: number, { crashesAfterMs = Infinity }: PodBehaviour): void {
    if (stage.sinceMs + crashesAfterMs <= nowMs) this.crash(nowMs);
    else this.#stage = { ...stage, isReady: this.#verdict ?? true };
  }
}

function backOff(attempts: number): number {
  return Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** attempts);
}
