import { expect, test } from "vitest";
import { aCluster, aRevision, aWorld } from "../../test/worlds.ts";
import { standingsOf } from "./cluster-standing.ts";

test("each cluster tells its pods and its traffic, by tag; what has neither is left out", () => {
  const clusters = [
    aCluster("a", { pods: { v1: 4, v2: [3, 1], v0: 0 }, weights: { v1: 80, v2: 20 } }),
    aCluster("b", { spec: { hotStandby: true }, contact: { state: "unreachable", cause: "no route" } }),
  ];
  expect(standingsOf(aWorld({ clusters, revisions: [aRevision("v2")] }))).toEqual([
    {
      name: "a",
      contact: "observed",
      revisions: [
        { tag: "v1", percent: 80, ready: 4, desired: 4 },
        { tag: "v2", percent: 20, ready: 1, desired: 3 },
      ],
    },
    { name: "b", contact: "unreachable", standby: true },
  ]);
});
