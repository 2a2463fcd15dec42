import type { Line } from "./line.ts";

const HEADINGS = ["what", "unit", "ours", "anchor", "ratio", "goal", "met"] as const;

/** Numbers to the right, words to the left. */
export function formatTable(lines: readonly Line[]): string {
  const rows = [HEADINGS.map(String), ...lines.map((line) => HEADINGS.map((heading) => cell(line[heading])))];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((text, column) => aligned(text, column, widths[column] ?? 0)).join("  ")).join("\n");
}

function cell(value: Line[keyof Line]): string {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "yes" : "NO";
  return typeof value === "number" ? value.toLocaleString("en", { maximumFractionDigits: 3 }) : value;
}

function aligned(text: string, column: number, width: number): string {
  return column >= 2 && column <= 4 ? text.padStart(width) : text.padEnd(width);
}
