import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { exploreRevisions } from "../../test/model-check.ts";
import { explore, reachable, renderGraph } from "../../test/state-graph.ts";
import { states } from "./states.ts";

const PAGE = new URL("../../../../docs/generated/release-states.md", import.meta.url);

describe("the state graph", () => {
  const edges = explore();

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
  test("one revision, exhaustively: rules hold and there is always a way out", { timeout: 120_000 }, () => {
    const { states: reached, places } = exploreRevisions(1);
    expect(places).toBeGreaterThan(10);
    expect(reached.has("released")).toBe(true);
  });

  test("two revisions, four moves deep; `npm run prove -- --model` goes on", { timeout: 120_000 }, () => {
    expect(exploreRevisions(2, 4).places).toBeGreaterThan(200);
  });
});
