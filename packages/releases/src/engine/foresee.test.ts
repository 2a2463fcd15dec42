import { expect, test } from "vitest";
import { anEntry, aReleaseManager, aRevision, NOW_MS } from "../../test/worlds.ts";
import { takerIfFailed } from "./foresee.ts";

test.each([
  { others: { v1: "released" }, taker: "v1", because: "it serves already" },
  { others: { v1: "retired", v2: "retired" }, taker: "v2", because: "the newest that was retired" },
  { others: { v1: "released", v2: "canarying" }, taker: "v1", because: "a canary takes over nothing" },
  { others: { v1: "failed" }, taker: undefined, because: "nobody is left" },
])("v3 fails: $taker takes over, $because", ({ others, taker }) => {
  const entries = Object.entries(others).map(([tag, state]) => anEntry(tag, { state, peakPercent: 100 }));
  const revisions = Object.entries({ ...others, v3: "releasing" }).map(([tag, state]) =>
    aRevision(tag, { spec: { failed: state === "failed" } }),
  );
  const releaseManager = aReleaseManager([...entries, anEntry("v3", { state: "releasing", currentPercent: 20 })]);
  expect(takerIfFailed({ releaseManager, revisions, nowMs: NOW_MS }, "v3")).toBe(taker);
});
