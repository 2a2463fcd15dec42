import { expect, test } from "vitest";
import { line, render } from "../views/line.ts";
import { type Move, Viewport } from "./viewport.ts";

const table = ["HEADING", ...Array.from({ length: 9 }, (_, index) => `row ${index + 1}`)].map((text) => line(text));

function after(moves: readonly Move[], rows = 5, lines = table): readonly string[] {
  const viewport = new Viewport();
  viewport.fit(lines, rows, 1);
  for (const move of moves) viewport.move(move);
  return render(viewport.fit(lines, rows, 1), { isColored: false });
}

const below = "more: 6 below  ↑↓ PgUp PgDn";

test.each<[string, readonly Move[], readonly string[]]>([
  ["the top at first", [], ["HEADING", "row 1", "row 2", "row 3", below]],
  ["no further up", ["up"], ["HEADING", "row 1", "row 2", "row 3", below]],
  ["a row further", ["down"], ["HEADING", "row 2", "row 3", "row 4", "more: 1 above, 5 below  ↑↓ PgUp PgDn"]],
  ["a page further", ["page down"], ["HEADING", "row 3", "row 4", "row 5", "more: 2 above, 4 below  ↑↓ PgUp PgDn"]],
  ["the end", ["end", "down"], ["HEADING", "row 7", "row 8", "row 9", "more: 6 above  ↑↓ PgUp PgDn"]],
  ["the top again", ["end", "home"], ["HEADING", "row 1", "row 2", "row 3", below]],
])("%s", (_, moves, shown) => {
  expect(after(moves)).toEqual(shown);
});

test("what has room is shown whole, and does not move", () => {
  expect(after(["down", "end"], 10)).toHaveLength(10);
  expect(after(["down"], 10)[1]).toBe("row 1");
});

test("a view that gets shorter is moved back", () => {
  const viewport = new Viewport();
  viewport.fit(table, 5, 1);
  viewport.move("end");
  const shown = render(viewport.fit(table.slice(0, 7), 5, 1), { isColored: false });
  expect(shown.slice(1, 4)).toEqual(["row 4", "row 5", "row 6"]);
});
