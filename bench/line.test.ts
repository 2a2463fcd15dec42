import { describe, expect, test } from "vitest";
import { alone, atLeast, atMost, below, shown } from "./line.ts";
import { formatTable } from "./table.ts";

const time = { what: "time", unit: "s", ours: 2, anchor: 4 };

describe("a line of a benchmark", () => {
  test.each([
    { name: "less than the anchor", line: atMost(1, time), ratio: 0.5, goal: "≤ 1×", met: true },
    { name: "more than allowed", line: atMost(0.4, time), ratio: 0.5, goal: "≤ 0.4×", met: false },
    { name: "just as much as allowed", line: atMost(0.5, time), ratio: 0.5, goal: "≤ 0.5×", met: true },
    { name: "less than is wanted", line: atLeast(1, time), ratio: 0.5, goal: "≥ 1×", met: false },
    {
      name: "nothing, as the anchor",
      line: atMost(1, { ...time, ours: 0, anchor: 0 }),
      ours: 0,
      ratio: null,
      goal: "≤ 1×",
      met: true,
    },
    { name: "on its own", line: alone(time), ratio: null, goal: null, met: null },
    { name: "without a goal", line: shown(time), ratio: 0.5, goal: null, met: null },
    { name: "under a limit, without an anchor", line: below(3, time), ratio: null, goal: "< 3 s", met: true },
    { name: "at its limit", line: below(2, time), ratio: null, goal: "< 2 s", met: false },
  ])("$name", ({ line, ours = 2, ratio, goal, met }) => {
    expect(line).toMatchObject({ what: "time", unit: "s", ours, ratio, goal, met });
  });

  test("is judged before it is rounded to three digits", () => {
    expect(atMost(1, { ...time, ours: 1.0001, anchor: 1 })).toMatchObject({ ours: 1, ratio: 1, met: false });
  });
});

test("a table has one line for each, aligned, with dashes where there is nothing", () => {
  const table = formatTable([atMost(1, time), below(100, { what: "longest block", unit: "ms", ours: 12_345 })]);
  expect(table.split("\n")).toEqual([
    "what           unit    ours  anchor  ratio  goal      met",
    "time           s          2       4    0.5  ≤ 1×      yes",
    "longest block  ms    12,300       –      –  < 100 ms  NO ",
  ]);
});
