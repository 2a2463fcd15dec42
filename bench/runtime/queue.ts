// Keys through the work queue: added twice, handed out once, forgotten, done.
import { atLeast, type Line } from "../line.ts";
import type { Field } from "./field.ts";
import { median } from "./median.ts";

const ROUNDS = 3;
const KEYS = 10_000;

export async function benchQueue(field: Field, passes: number): Promise<Line[]> {
  const rates = { ours: [] as number[], go: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of ["ours", "go"] as const) {
      await using worker = field.queue(side, KEYS, passes);
      rates[side].push((await worker.hear<{ keysPerSecond: number }>()).keysPerSecond);
    }
  }
  const what = "keys through the work queue, against client-go's";
  return [atLeast(1, { what, unit: "keys/s", ours: median(rates.ours), anchor: median(rates.go) })];
}
