import { expect, test } from "vitest";
import { Pace } from "./pace.ts";

test("a server that has moved farther away is after a while as good as one that always was there", () => {
  const pace = new Pace();
  const pausesMs = [5, ...Array<number>(1_000).fill(60)].map((tookMs) => {
    pace.answered(tookMs);
    return pace.takePauseMs();
  });
  expect([pausesMs[1], pausesMs.at(-1)]).toEqual([495, 0]);
});
