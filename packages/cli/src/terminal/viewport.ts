// The part of a long view that a terminal has room for.
import { type Line, line, span } from "../views/line.ts";

/** A row up or down, a page, or all the way. */
export type Move = "up" | "down" | "page up" | "page down" | "home" | "end";

export class Viewport {
  #top = 0;
  #room = 0;
  #length = 0;

  move(by: Move): void {
    const page = Math.max(1, this.#room - 1);
    const steps = { up: -1, down: 1, "page up": -page, "page down": page, home: -this.#length, end: this.#length };
    this.#top = this.#within(this.#top + steps[by]);
  }

  /** The first `pinned` lines stay where they are, the others move below them. */
  fit(lines: readonly Line[], rows: number, pinned = 0): readonly Line[] {
    const fixed = pinned < rows - 2 ? pinned : 0;
    const isWhole = lines.length <= rows;
    this.#length = lines.length - fixed;
    this.#room = isWhole ? this.#length : Math.max(1, rows - fixed - 1);
    this.#top = this.#within(this.#top);
    if (isWhole) return lines;
    const first = fixed + this.#top;
    const below = this.#length - this.#room - this.#top;
    return [...lines.slice(0, fixed), ...lines.slice(first, first + this.#room), moreLine(this.#top, below)];
  }

  #within(top: number): number {
    return Math.max(0, Math.min(top, this.#length - this.#room));
  }
}

function moreLine(above: number, below: number): Line {
  const counts = [above > 0 ? `${above} above` : [], below > 0 ? `${below} below` : []].flat();
  return line(span(`more: ${counts.join(", ")}  ↑↓ PgUp PgDn`, "dim"));
}
