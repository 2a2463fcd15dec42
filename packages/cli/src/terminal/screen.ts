// Where a view goes: a terminal, redrawn in place; anywhere else, plain lines of what is new.
import { fold, type Line, render } from "../views/line.ts";
import { readKeys } from "./keys.ts";
import { isColored } from "./print.ts";
import { Viewport } from "./viewport.ts";

export interface Screen {
  readonly columns: number;
  readonly rows: number;
  readonly isTerminal: boolean;
  /** The first `pinned` lines stay when the others are moved. */
  show(lines: readonly Line[], pinned?: number): void;
  /** Leaves the last picture behind. */
  close(): void;
}

const ESC = "\u001b[";
/** On a screen of its own, without a cursor; what was there before comes back. */
const ENTER = `${ESC}?1049h${ESC}?25l${ESC}2J`;
const LEAVE = `${ESC}?25h${ESC}?1049l`;
/** The terminal shows what lies between in one go, if it knows how. */
const BEGIN = `${ESC}?2026h`;
const END = `${ESC}?2026l`;

export class TerminalScreen implements Screen {
  readonly isTerminal = true;
  readonly #stream: NodeJS.WriteStream;
  readonly #viewport = new Viewport();
  readonly #end = (): void => this.close();
  #keys: Disposable | undefined;
  #lines: readonly Line[] = [];
  #pinned = 0;
  #shown: readonly string[] | undefined;
  #size = "";

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  get columns(): number {
    return this.#stream.columns || 80;
  }

  get rows(): number {
    return this.#stream.rows || 24;
  }

  show(lines: readonly Line[], pinned = 0): void {
    this.#lines = lines;
    this.#pinned = pinned;
    this.#keys ??= this.#begin();
    this.#draw();
  }

  /** However the process ends, the terminal is left as it was. */
  #begin(): Disposable {
    process.once("exit", this.#end);
    return readKeys(process.stdin, (move) => {
      this.#viewport.move(move);
      this.#draw();
    });
  }

  #fitted(): readonly string[] {
    const folded = (lines: readonly Line[]): readonly Line[] => lines.flatMap((each) => fold(each, this.columns));
    const head = folded(this.#lines.slice(0, this.#pinned));
    const body = folded(this.#lines.slice(this.#pinned));
    const fitted = this.#viewport.fit([...head, ...body], this.rows, head.length);
    return render(fitted, { isColored: isColored(this.#stream) });
  }

  #draw(): void {
    const drawn = this.#fitted();
    const size = `${this.columns}x${this.rows}`;
    const isFirst = this.#shown === undefined;
    const before = size === this.#size ? (this.#shown ?? []) : [];
    const clear = size === this.#size ? "" : `${ESC}2J`;
    // Only the rows that changed are written: nothing that stays can flicker.
    const changes = drawn.map((text, row) => (text === before[row] ? "" : `${ESC}${row + 1};1H${text}${ESC}K`));
    const rest = drawn.length < before.length ? `${ESC}${drawn.length + 1};1H${ESC}J` : "";
    this.#stream.write(`${isFirst ? ENTER : ""}${BEGIN}${clear}${changes.join("")}${rest}${END}`);
    this.#shown = drawn;
    this.#size = size;
  }

  close(): void {
    if (this.#shown === undefined) return;
    process.off("exit", this.#end);
    this.#keys?.[Symbol.dispose]();
    this.#stream.write(`${LEAVE}${this.#shown.join("\n")}\n`);
    this.#shown = undefined;
  }
}

/** Each sentence once, until it is another one. */
export class NewsLog {
  readonly #write: (text: string) => void;
  #told = new Set<string>();

  constructor(write: (text: string) => void = console.log) {
    this.#write = write;
  }

  tell(sentences: readonly string[]): void {
    for (const text of sentences) if (!this.#told.has(text)) this.#write(text);
    this.#told = new Set(sentences);
  }
}
