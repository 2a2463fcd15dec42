// Rows under headings. What has no room is left out by column, last by importance, before anything is cut.
import { type Line, line, padEnd, type Span, span, widthOf } from "./line.ts";

export interface Column<T> {
  readonly heading: string;
  readonly cell: (row: T) => Span;
  /** The smallest is kept longest. */
  readonly rank: number;
  /** Takes what room is left, and is cut to it; others are as wide as their content. */
  readonly isElastic?: boolean;
}

const GAP = 2;
const ELASTIC_MIN = 14;

export function drawTable<T>(rows: readonly T[], columns: readonly Column<T>[], width: number): readonly Line[] {
  const drawn = columns.map((column) => ({ column, cells: rows.map(column.cell) }));
  const natural = drawn.map(({ column, cells }) =>
    Math.max(widthOf(column.heading), ...cells.map(({ text }) => widthOf(text))),
  );
  const wanted = drawn.map(({ column }, index) =>
    column.isElastic ? Math.min(natural[index] ?? 0, ELASTIC_MIN) : (natural[index] ?? 0),
  );
  const comfortable = wanted.map((size, index) =>
    Math.min(natural[index] ?? 0, Math.max(size, Math.floor(width * 0.4))),
  );
  const kept = keptColumns(
    drawn.map(({ column: { rank } }, index) => ({
      rank,
      least: wanted[index] ?? 0,
      comfortable: comfortable[index] ?? 0,
    })),
    width,
  );
  const used = kept.reduce((sum, index) => sum + (wanted[index] ?? 0) + GAP, -GAP);
  const sizes = wanted.map((size, index) => {
    const isElastic = drawn[index]?.column.isElastic === true;
    return isElastic ? Math.min(natural[index] ?? 0, size + Math.max(0, width - used)) : size;
  });
  const row = (cellOf: (index: number) => Span): Line =>
    line(
      ...kept.flatMap((index, at) => [span(at > 0 ? " ".repeat(GAP) : ""), padded(cellOf(index), sizes[index] ?? 0)]),
    );
  return [
    row((index) => span(drawn[index]?.column.heading ?? "", "dim")),
    ...rows.map((_, at) => row((index) => drawn[index]?.cells[at] ?? span(""))),
  ];
}

function padded(cell: Span, size: number): Span {
  return { ...cell, text: padEnd(cell.text, size) };
}

interface Need {
  readonly rank: number;
  readonly least: number;
  readonly comfortable: number;
}

/** Indices of the columns that fit, in their order. The most important stays in any case; none costs a better one its ease. */
function keptColumns(needs: readonly Need[], width: number): readonly number[] {
  const byRank = needs.map((need, index) => ({ ...need, index })).toSorted((a, b) => a.rank - b.rank);
  const kept: number[] = [];
  let used = -GAP;
  for (const { index, least, comfortable } of byRank) {
    if (kept.length > 0 && used + least + GAP > width) continue;
    kept.push(index);
    used += comfortable + GAP;
  }
  return kept.toSorted((a, b) => a - b);
}
