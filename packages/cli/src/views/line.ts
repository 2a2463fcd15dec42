// What a view draws: lines of spans. Colours and the width of the terminal come last.
import { styleText } from "node:util";

export type Style = "bold" | "cyan" | "dim" | "green" | "red" | "yellow";

export interface Span {
  readonly text: string;
  readonly style?: Style;
}

export type Line = readonly Span[];

/** How much room there is, and what time it is. */
export interface Frame {
  readonly columns: number;
  readonly nowMs: number;
  /** The machine's own unless given. */
  readonly timeZone?: "UTC";
}

export function span(text: string, style?: Style): Span {
  return style ? { text, style } : { text };
}

export function line(...parts: readonly (Span | string)[]): Line {
  return parts.map((part) => (typeof part === "string" ? { text: part } : part));
}

export function render(lines: readonly Line[], { isColored }: { readonly isColored: boolean }): string[] {
  return lines.map((spans) =>
    spans
      .map(({ text, style }) => ({ text: harmless(text), style }))
      .map(({ text, style }) => (isColored && style ? styleText(style, text, { validateStream: false }) : text))
      .join("")
      .trimEnd(),
  );
}

/** As far as it goes on a line of this width. */
export function clipText(text: string, columns: number): string {
  const letters = Array.from(text);
  return letters.length <= columns ? text : `${letters.slice(0, Math.max(0, columns - 1)).join("")}…`;
}

export function padEnd(text: string, columns: number): string {
  return clipText(text, columns) + " ".repeat(Math.max(0, columns - widthOf(text)));
}

export function padStart(text: string, columns: number): string {
  return " ".repeat(Math.max(0, columns - widthOf(text))) + clipText(text, columns);
}

export function widthOf(text: string): number {
  return Array.from(text).length;
}

/** Words on lines of this width; one that is longer than a line is left whole, and so is a number with its unit. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/(?<!\d) | (?!(?:s|min|h|d|%)(?!\w))/)) {
    const last = lines.at(-1);
    if (last === undefined || widthOf(last) + 1 + widthOf(word) > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Rows of at most this width: where nothing may be lost, and a row too long would push the others down. */
export function fold(spans: Line, columns: number): readonly Line[] {
  const rows: Span[][] = [[]];
  let left = columns;
  for (const { text, ...style } of spans) {
    for (let letters = Array.from(text); letters.length > 0; ) {
      if (left === 0) {
        rows.push([]);
        left = columns;
      }
      const fitting = letters.splice(0, left);
      rows.at(-1)?.push({ ...style, text: fitting.join("") });
      left -= fitting.length;
    }
  }
  return rows.filter((row, index) => index === 0 || row.some(({ text }) => text.trim() !== ""));
}

/** Texts in status are anybody's: none of them may steer the terminal. */
function harmless(text: string): string {
  // eslint-disable-next-line no-control-regex -- those are what it is about
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, " ");
}
