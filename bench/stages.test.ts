import { expect, test } from "vitest";
import { NoSuchStageError, stagesOf } from "./stages.ts";

const STAGES = { sync: 1, latency: 2 };

test("stages come in the order in which they were asked for", () => {
  expect(stagesOf(STAGES, ["latency", "sync"])).toEqual([2, 1]);
});

test("one that does not exist is named before any of them runs, with those that do", () => {
  expect(() => stagesOf(STAGES, ["sync", "latencee"])).toThrow(
    new NoSuchStageError("there is no stage latencee; there are sync, latency"),
  );
});
