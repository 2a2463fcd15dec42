import { below, type Line } from "../line.ts";
import type { LongestBlock } from "./loop-watch.ts";
import { medianOf } from "./median.ts";

/** The block itself, and for a busy machine how much of it was our own work. */
export function blockLines(during: string, rounds: readonly LongestBlock[]): Line[] {
  const block = medianOf(rounds, ({ blockMs }) => blockMs);
  const work = medianOf(rounds, ({ blockCpuMs }) => blockCpuMs);
  return [
    below(100, { what: `${during}: longest event-loop block`, unit: "ms", ours: block }),
    below(100, { what: `${during}: longest event-loop block, the thread's own work`, unit: "ms", ours: work }),
  ];
}
