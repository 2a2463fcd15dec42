// The views are functions of data: what is drawn is compared as text.
import { describe, expect, test } from "vitest";
import { named, NOW_MS, stories } from "../../test/stories.ts";
import { drawClusters } from "./clusters.ts";
import { drawWhy } from "./gates.ts";
import { fold, type Frame, type Line, render, wrap } from "./line.ts";
import { releaseOf } from "./release.ts";
import { byUrgency, drawList, drawNothing } from "./release-list.ts";
import { tellRelease } from "./release-news.ts";
import { drawTree } from "./release-tree.ts";
import { age, upcoming } from "./times.ts";

const at = (columns: number): Frame => ({ columns, nowMs: NOW_MS, timeZone: "UTC" });
const text = (lines: readonly Line[]): string[] => render(lines, { isColored: false });
const everyStory = Object.entries(stories).map(([name, story]) => releaseOf(named(story(), name)));

describe("the tree", () => {
  test("at 80 columns it has clusters, pods and gates", () => {
    expect(text(drawTree(releaseOf(stories.delay()), at(80)))).toEqual([
      "shop/production waits: v2 waits before its next step, in 7 s (18:00:07)",
      "fleet main, 3 clusters",
      "",
      "v2     releasing ━━━━━━━━································  20 %   9/9 5 min",
      "├ eu-1           ━━━━━━━━································  20 %   3/3 ●●●",
      "├ us-1           ━━━━━━━━································  20 %   3/3 ●●●",
      "└ us-2           ━━━━━━━━································  20 %   3/3 ●●●",
      "  ✓ Deployed, Eligible, Schedule, Unheld, Capacity",
      "  … Delay: v2 waits before its next step (20 % → 40 %)",
      "    → time passes",
      "    earliest in 7 s (18:00:07); waiting 3 s",
      "v1     released  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━········  80 % 12/12 5 min",
      "├ eu-1           ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━········  80 %   4/4 ●●●●",
      "├ us-1           ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━········  80 %   4/4 ●●●●",
      "└ us-2           ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━········  80 %   4/4 ●●●●",
      "v0     retired  5 min",
    ]);
  });

  test("at 40 columns it says the same in less", () => {
    expect(text(drawTree(releaseOf(stories.capacity()), at(40))).slice(0, 13)).toEqual([
      "shop/production waits: v2 has 3 of 6",
      "ready pods for 40 %",
      "fleet main, 3 clusters",
      "",
      "v2     releasing ━━·········  20 %   3/9",
      "├ eu-1           ━━·········  20 %   1/3",
      "├ us-1           ━━·········  20 %   1/3",
      "└ us-2           ━━·········  20 %   1/3",
      "  ✓ Deployed, Eligible, Schedule,",
      "    Unheld, Delay",
      "  … Capacity: v2 has 3 of 6 ready pods",
      "    for 40 %",
      "    → more of its pods become ready",
    ]);
  });

  test.each([40, 80, 200])("nothing is wider than %i columns", (columns) => {
    const lines = everyStory.flatMap((release) => [
      ...drawTree(release, at(columns)),
      ...drawWhy(release, at(columns)),
      ...drawList([release], at(columns)),
    ]);
    const widest = Math.max(...text(lines).map((each) => each.length));
    expect(widest).toBeLessThanOrEqual(columns);
  });
});

test.each([
  ["delay", "waits: v2 waits before its next step, in 7 s (18:00:07)"],
  ["capacity", "waits: v2 has 3 of 6 ready pods for 40 %"],
  ["paused", "waits: the release is paused: lunch"],
  ["idle", "is paused: lunch (by ana); v2 is released on every live cluster"],
  ["unreachable", "waits: cluster us-2 is unreachable: connection refused"],
  ["released", "waits for nothing: v2 is released on every live cluster"],
] as const)("why names the cause first: %s", (story, headline) => {
  const [first] = text(drawWhy(releaseOf(stories[story]()), at(120)));
  expect(first).toBe(`shop/production ${headline}`);
});

test("a pause says how it ends, also where nothing is on its way", () => {
  expect(text(drawWhy(releaseOf(stories.idle()), at(80))).slice(-2)).toEqual([
    "  … Paused: lunch (by ana)",
    "    → chaski resume shop/production, or remove the annotation chaski.dev/paused",
  ]);
});

describe("the list", () => {
  test("has a row for each release, and leaves out columns rather than sense", () => {
    const releases = everyStory.filter(({ name }) => /^(capacity|released)/.test(name));
    expect(text(drawList(releases, at(100)))).toEqual([
      "APP       TARGET      NEWEST  STATE      TRAFFIC           WAITS FOR                          AGE",
      "capacity  production  v2      releasing  v2 20 %, v1 80 %  v2 has 3 of 6 ready pods for 40 %  40 d",
      "released  production  v2      released   v2 100 %          –                                  40 d",
    ]);
    expect(text(drawList(releases, at(40)))).toEqual([
      "APP       STATE      %    WAITS FOR",
      "capacity  releasing  20   Capacity",
      "released  released   100  –",
    ]);
    const staging = releaseOf(named(stories.delay(), "delay", "staging"));
    expect(text(drawList([...releases, staging], at(40))).slice(0, 2)).toEqual([
      "APP/TARGET           STATE      %",
      "capacity/production  releasing  20",
    ]);
  });

  test("an empty one says how to begin, or where to look", () => {
    expect(text(drawNothing("default", [], at(80))).join(" ")).toContain("chaski up");
    expect(text(drawNothing("default", ["delivery"], at(80)))).toEqual([
      "There are no releases in namespace default.",
      "There are some in delivery: add -n delivery, or -A for all.",
    ]);
  });

  test("what moves or is stuck comes first where it can't all be seen", () => {
    expect(everyStory.toSorted(byUrgency).at(-1)?.name).toBe("released/production");
  });
});

test("at 40 columns one long name takes nobody's reason away", () => {
  const long = releaseOf(named(stories.delay(), "a-name-of-24-characters-x"));
  const releases = [long, releaseOf(named(stories.idle(), "shop"))];
  expect(text(drawList(releases, at(40)))).toEqual([
    "APP            STATE      %    WAITS FOR",
    "a-name-of-24…  releasing  20   Delay",
    "shop           released   100  Paused",
  ]);
});

test("a table keeps its sentence readable before it adds a column", () => {
  const [heading, row] = text(drawList([releaseOf(named(stories.delay(), "a-name-of-24-characters-x"))], at(80)));
  expect([heading?.includes("NEWEST"), row]).toEqual([
    false,
    "a-name-of-24-characters…  releasing  20  v2 waits before its next step, i…  40 d",
  ]);
});

test("what is to be known of a cluster stands below the table, in full", () => {
  const row = {
    fleet: "main",
    state: "observed",
    style: "green",
    version: "1.35",
    since: undefined,
    releases: 2,
  } as const;
  const rows = [
    { ...row, name: "eu-1", note: "" },
    { ...row, name: "us-1", note: "quarantined: its network is down since Friday" },
  ];
  expect(text(drawClusters(rows, at(40)))).toEqual([
    "CLUSTER  FLEET  STATE     FOR  VERSION",
    "eu-1     main   observed       1.35",
    "us-1     main   observed       1.35",
    "",
    "us-1: quarantined: its network is down",
    "since Friday",
  ]);
});

test("a log is told each fact in a sentence", () => {
  expect(tellRelease(releaseOf(stories.unreachable()))).toEqual([
    "shop/production v2 is releasing with 20 %, 9 of 9 pods ready",
    "shop/production v1 is released with 80 %, 12 of 12 pods ready",
    "shop/production: cluster us-2 is unreachable",
    "shop/production waits: cluster us-2 is unreachable: connection refused",
  ]);
});

test("a number is never told apart from its unit", () => {
  expect(wrap("waiting 73 s; 10 % of 2 pods", 12)).toEqual(["waiting", "73 s; 10 %", "of 2 pods"]);
});

test("what is too long for a row of the screen goes on in the next one", () => {
  const rows = fold([{ text: "chaski promote ", style: "cyan" }, { text: "a-long-name/production" }], 20);
  expect(text(rows)).toEqual(["chaski promote a-lon", "g-name/production"]);
  expect(fold([{ text: `${"x".repeat(20)}   ` }], 20)).toHaveLength(1);
});

test("texts of others can't steer the terminal", () => {
  const shown = render([[{ text: "a\u001b[2Jb\nc\u202ed", style: "red" }]], { isColored: true });
  expect(shown).toEqual(["\u001b[31ma [2Jb c d\u001b[39m"]);
});

describe("times", () => {
  const iso = (ms: number): string => new Date(NOW_MS + ms).toISOString();

  test.each([
    [8_000, "in 8 s (18:00:08)"],
    [4 * 60_000, "in 4 min (18:04)"],
    [3 * 3_600_000, "in 3 h (21:00)"],
    [30 * 3_600_000, "in 30 h (Fri 00:00)"],
    [10 * 86_400_000, "in 10 d (Sat 14 Mar, 18:00)"],
    [-1, "any moment"],
  ])("%i ms away: %s", (ms, words) => {
    expect(upcoming(iso(ms), at(80))).toBe(words);
  });

  test("an age is told in one unit; of what has no time, not at all", () => {
    expect([age(iso(-90_000), at(80)), age(iso(-7_200_000), at(80)), age(undefined, at(80))]).toEqual([
      "90 s",
      "2 h",
      "",
    ]);
  });
});
