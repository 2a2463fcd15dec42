import { stripVTControlCharacters } from "node:util";

/** Where a view goes: redrawn in place on a terminal, as plain lines on change anywhere else. */
export interface Screen {
  readonly columns: number;
  show(lines: readonly string[]): void;
}

export function screenOn(stream: NodeJS.WriteStream): Screen {
  return stream.isTTY ? new TerminalScreen(stream) : new PlainScreen(stream);
}

class TerminalScreen implements Screen {
  readonly #stream: NodeJS.WriteStream;
  #height = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  get columns(): number {
    return this.#stream.columns || 80;
  }

  show(lines: readonly string[]): void {
    const up = this.#height > 0 ? `\u001b[${this.#height}A` : "";
    const body = lines.map((line) => `\u001b[2K${line}\n`).join("");
    this.#stream.write(`${up}\u001b[?25l${body}\u001b[0J\u001b[?25h`);
    this.#height = lines.reduce((rows, line) => rows + this.#rowsOf(line), 0);
  }

  /** A line that is too long for the terminal goes on in the next row. */
  #rowsOf(line: string): number {
    return Math.max(1, Math.ceil(stripVTControlCharacters(line).length / this.columns));
  }
}

/** Only what changed, so that a log tells the story. */
class PlainScreen implements Screen {
  readonly columns = 200;
  readonly #stream: NodeJS.WriteStream;
  #shown: readonly string[] = [];

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  show(lines: readonly string[]): void {
    const news = lines.filter((line) => line !== "" && !this.#shown.includes(line));
    for (const line of news) this.#stream.write(`${line}\n`);
    this.#shown = lines;
  }
}
