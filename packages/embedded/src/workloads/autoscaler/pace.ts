// How fast an autoscaler may follow its metrics: what it recommended before, and how much it has changed lately.
import type { HPAScalingPolicy, HPAScalingRules, HorizontalPodAutoscalerSpec } from "@chaski/kube";

const DOWN_WINDOW_SECONDS = 300;
const LONGEST_MS = 3_600_000;

interface Stamped {
  readonly atMs: number;
  readonly value: number;
}

export interface Wish {
  readonly spec: HorizontalPodAutoscalerSpec;
  readonly current: number;
  readonly desired: number;
  readonly nowMs: number;
}

export interface Limited {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

export interface Paced {
  readonly stabilized: Limited;
  readonly limited: Limited;
}

/** One autoscaler's memory. */
export class Pace {
  #recommendations: Stamped[] = [];
  #changes: Stamped[] = [];

  /** The first size that it sees is as good as a recommendation. */
  begin(replicas: number, nowMs: number): void {
    if (this.#recommendations.length === 0) this.#recommendations.push({ atMs: nowMs, value: replicas });
  }

  apply(wish: Wish): Paced {
    const stabilized = this.#stabilize(wish);
    return { stabilized, limited: this.#limit({ ...wish, desired: stabilized.replicas }) };
  }

  changed(by: number, nowMs: number): void {
    this.#changes = [...this.#changes.filter(({ atMs }) => atMs > nowMs - LONGEST_MS), { atMs: nowMs, value: by }];
  }

  #stabilize({ spec, current, desired, nowMs }: Wish): Limited {
    const up = (spec.behavior?.scaleUp?.stabilizationWindowSeconds ?? 0) * 1_000;
    const down = (spec.behavior?.scaleDown?.stabilizationWindowSeconds ?? DOWN_WINDOW_SECONDS) * 1_000;
    const within = (windowMs: number): number[] =>
      this.#recommendations.filter(({ atMs }) => atMs > nowMs - windowMs).map(({ value }) => value);
    const lowest = Math.min(desired, ...within(up));
    const highest = Math.max(desired, ...within(down));
    const kept = this.#recommendations.filter(({ atMs }) => atMs > nowMs - Math.max(up, down));
    this.#recommendations = [...kept, { atMs: nowMs, value: desired }];
    const replicas = Math.min(Math.max(current, lowest), highest);
    return { replicas, ...stabilityOf(replicas, desired, current) };
  }

  #limit({ spec, current, desired, nowMs }: Wish): Limited {
    const { behavior, maxReplicas, minReplicas = 1 } = spec;
    if (desired > current) {
      const rate = behavior
        ? Math.max(current, this.#bound(behavior.scaleUp, { current, nowMs, direction: 1 }))
        : Math.max(2 * current, 4);
      const limit = rate < maxReplicas ? TOO_FAST_UP : TOO_MANY;
      const allowed = Math.min(rate, maxReplicas);
      if (desired > allowed) return { ...limit, replicas: allowed };
    }
    const slowest = behavior
      ? Math.min(current, this.#bound(behavior.scaleDown, { current, nowMs, direction: -1 }))
      : minReplicas;
    const allowed = Math.max(slowest, minReplicas);
    if (desired < current && desired < allowed)
      return { ...(slowest > minReplicas ? TOO_FAST_DOWN : TOO_FEW), replicas: allowed };
    return { ...WITHIN, replicas: desired };
  }

  #bound(rules: HPAScalingRules | undefined, at: { current: number; nowMs: number; direction: 1 | -1 }): number {
    if (rules?.selectPolicy === "Disabled") return at.current;
    const bounds = (rules?.policies ?? []).map((policy) => this.#boundOf(policy, at));
    if (bounds.length === 0) return at.direction * Infinity;
    const isSmallest = (rules?.selectPolicy === "Min") === (at.direction === 1);
    return isSmallest ? Math.min(...bounds) : Math.max(...bounds);
  }

  #boundOf(
    { type, value, periodSeconds }: HPAScalingPolicy,
    { current, nowMs, direction }: { current: number; nowMs: number; direction: 1 | -1 },
  ): number {
    const recent = this.#changes.filter(({ atMs }) => atMs > nowMs - periodSeconds * 1_000);
    const atStart = current - recent.reduce((sum, change) => sum + change.value, 0);
    if (type === "Pods") return atStart + direction * value;
    const exact = atStart * (1 + (direction * value) / 100);
    return direction === 1 ? Math.ceil(exact) : Math.trunc(exact);
  }
}

function stabilityOf(replicas: number, desired: number, current: number): { reason: string; message: string } {
  if (replicas === desired) return { reason: "ReadyForNewScale", message: "recommended size matches current size" };
  const [side, other, end] = desired >= current ? ["Up", "lower", "lowest"] : ["Down", "higher", "highest"];
  const message = `recent recommendations were ${other} than current one, applying the ${end} recent recommendation`;
  return { reason: `Scale${side}Stabilized`, message };
}

const TOO_FAST_UP = {
  reason: "ScaleUpLimit",
  message: "the desired replica count is increasing faster than the maximum scale rate",
};
const TOO_FAST_DOWN = {
  reason: "ScaleDownLimit",
  message: "the desired replica count is decreasing faster than the maximum scale rate",
};
const TOO_MANY = {
  reason: "TooManyReplicas",
  message: "the desired replica count is more than the maximum replica count",
};
const TOO_FEW = {
  reason: "TooFewReplicas",
  message: "the desired replica count is less than the minimum replica count",
};
const WITHIN = { reason: "DesiredWithinRange", message: "the desired count is within the acceptable range" };
