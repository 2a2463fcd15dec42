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
  const kept = keptColumns(
    drawn.map(({ column }) => column.rank),
    wanted,
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

/** Indices of the columns that fit, in their order. The most important one stays in any case. */
function keptColumns(ranks: readonly number[], sizes: readonly number[], width: number): readonly number[] {
  const byRank = ranks.map((rank, index) => ({ rank, index })).toSorted((a, b) => a.rank - b.rank);
  const kept: number[] = [];
  let used = -GAP;
  for (const { index } of byRank) {
    const needed = (sizes[index] ?? 0) + GAP;
    if (kept.length > 0 && used + needed > width) continue;
    kept.push(index);
    used += needed;
  }
  return kept.toSorted((a, b) => a - b);
}
