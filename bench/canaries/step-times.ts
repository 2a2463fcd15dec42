import type { KubeObject } from "@chaski/kube";
import { BATCHES } from "./release.ts";
import type { Side } from "./side.ts";
import type { Call } from "./tally.ts";

/** When each release came to each batch. */
export class StepTimes {
  /** From batch to batch, of all releases. */
  readonly stepsMs: number[] = [];
  readonly look: (object: Readonly<KubeObject>) => boolean;
  readonly #last = new Map<string, { readonly batches: number; readonly atMs: number }>();
  /** By release and batch: when it was decided to begin it, by the program's own clock. */
  readonly #decidedMs = new Map<string, number>();

  constructor({ batchesOf, decidedMs }: Pick<Side, "batchesOf" | "decidedMs">) {
    this.look = (object) => {
      const { name } = object.metadata;
      const last = this.#last.get(name);
      // Those that have not begun may have an earlier release behind them.
      if (!last) return false;
      const [batches, atMs] = [batchesOf(object), performance.now()];
      if (batches <= last.batches) return batches === BATCHES;
      for (let step = last.batches; step < batches; step++)
        this.stepsMs.push((atMs - last.atMs) / (batches - last.batches));
      this.#last.set(name, { batches, atMs });
      this.#decidedMs.set(`${name} ${batches}`, decidedMs?.(object) ?? Number.NaN);
      return batches === BATCHES;
    };
  }

  begin(name: string): void {
    this.#last.set(name, { batches: 0, atMs: performance.now() });
  }

  /** How many calls, events apart, the second batch of a release took; nothing if its times are not known. */
  callsOfSecondBatch(release: string, calls: readonly Call[]): readonly number[] {
    const [fromMs, toMs] = [this.#decidedMs.get(`${release} 1`), this.#decidedMs.get(`${release} 2`)];
    if (fromMs === undefined || toMs === undefined) return [];
    const isOfRelease = (name: string): boolean => name === release || name.startsWith(`${release}-`);
    return [
      calls.filter(({ name, atMs, isEvent }) => !isEvent && isOfRelease(name) && atMs >= fromMs && atMs < toMs).length,
    ];
  }
}
