import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ALONE, explore, modelOf, PAIRS } from "../../test/model-check.ts";
import { explore as exploreTable, reachable, renderGraph } from "../../test/state-graph.ts";
import { states } from "./states.ts";

const PAGE = new URL("../../../../docs/generated/release-states.md", import.meta.url);

/** Seconds on a machine that has nothing else to do. */
const LONG = { timeout: 120_000 };

describe("the state graph", () => {
  const edges = exploreTable();

  test("reaches every state", () => {
    expect([...reachable(edges)].toSorted()).toEqual([...states].toSorted());
  });

  test("has no dead end: every state but the last leads on, and each can come back to serve", () => {
    for (const state of states) expect([state, edges.some(({ from }) => from === state)]).toEqual([state, true]);
    for (const state of states) expect([state, reachable(edges, state).has("released")]).toEqual([state, true]);
  });

  test("is the page in docs: `npm run generate:states` writes it", () => {
    expect(readFileSync(PAGE, "utf8")).toBe(renderGraph(edges));
  });
});

describe("the model check", () => {
  test.each(ALONE)(
    "one revision, exhaustively ($kinds.v1): rules hold, there is always a way out",
    LONG,
    (exploring) => {
      const explored = explore(exploring);
      expect(explored.isExhausted).toBe(true);
      expect(modelOf(explored.edges).unknown).toEqual([]);
    },
  );

  test("two revisions, five passes deep; `npm run prove -- --model` goes on to the end", LONG, () => {
    const [pair] = PAIRS;
    expect(pair && explore({ ...pair, isTogether: false, depth: 5 }).places).toBeGreaterThan(1000);
  });
});
