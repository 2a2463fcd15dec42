// What was seen while the demo ran, and whether it is what was promised.
import type { ReleaseManager } from "@chaski/api";
import { isTrue } from "@chaski/kube";
import { BAD_TAG, entryOf, type Scene } from "./story.ts";

const STEPS = [10, 20, 40, 80, 100];

export class Ledger {
  /** Percents of each tag, in the order in which they were seen, without repetitions. */
  readonly #percents = new Map<string, number[]>();

  note({ status }: ReleaseManager): void {
    for (const { tag, currentPercent } of status?.revisions ?? []) {
      const seen = this.#percents.get(tag) ?? [];
      if (seen.at(-1) !== currentPercent) seen.push(currentPercent);
      this.#percents.set(tag, seen);
    }
  }

  /** What is not as promised; nothing, if all is well. */
  problems(scene: Scene): readonly string[] {
    const checks: readonly (readonly [boolean, string])[] = [
      [this.#hasRampedAndReturned(), `v2 went ${this.#seen("v2").join(", ")} and not ${STEPS.join(", ")}`],
      [
        wasCaught(scene),
        `${BAD_TAG} should have failed by an alert below 50 %: ${JSON.stringify(entryOf(scene, BAD_TAG))}`,
      ],
      [entryOf(scene, "v2")?.currentPercent === 100, "v2 did not take over again"],
      [isTrue(scene.canary?.status?.conditions, "Ready"), "the canary is not complete"],
    ];
    return checks.filter(([holds]) => !holds).map(([, problem]) => problem);
  }

  #seen(tag: string): readonly number[] {
    return (this.#percents.get(tag) ?? []).filter((percent) => percent > 0);
  }

  /** Up by the steps, then down for v3 and up again. */
  #hasRampedAndReturned(): boolean {
    return this.#seen("v2").slice(0, STEPS.length).join() === STEPS.join() && this.#seen("v2").at(-1) === 100;
  }
}

function wasCaught(scene: Scene): boolean {
  const bad = entryOf(scene, BAD_TAG);
  if (!bad || bad.state.current !== "failed") return false;
  return bad.peakPercent > 0 && bad.peakPercent < 50 && (bad.triggeredAlerts ?? []).length > 0;
}
