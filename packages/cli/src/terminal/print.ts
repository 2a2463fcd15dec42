// What is printed once. What is longer than a line is left to the terminal: a command that is copied stays whole.
import { type Line, line, render, wrap } from "../views/line.ts";

/** Whether a stream wants colours, by the rules that everybody follows: NO_COLOR, FORCE_COLOR, a terminal. */
export function isColored(stream: NodeJS.WriteStream): boolean {
  if ((process.env["NO_COLOR"] ?? "") !== "") return false;
  if ((process.env["FORCE_COLOR"] ?? "") !== "") return process.env["FORCE_COLOR"] !== "0";
  return stream.isTTY && process.env["TERM"] !== "dumb";
}

/** As wide as the terminal; where there is none, as wide as a reader of logs can bear. */
export function columnsOf(stream: NodeJS.WriteStream): number {
  return stream.isTTY ? stream.columns || 80 : 160;
}

export function print(lines: readonly Line[]): void {
  for (const text of render(lines, { isColored: isColored(process.stdout) })) console.log(text);
}

/** Sentences, broken between words where there is a terminal. */
export function say(text: string): void {
  for (const part of inWords(text, process.stdout)) console.log(part);
}

export function complain(text: string): void {
  for (const part of inWords(text, process.stderr)) console.error(part);
}

/** What was changed, for a program; or what that means, for a person. */
export function report({ output }: { readonly output?: "json" }, changed: unknown, sentence: string): void {
  if (output === "json") console.log(JSON.stringify(changed, null, 2));
  else say(sentence);
}

function inWords(text: string, stream: NodeJS.WriteStream): readonly string[] {
  const parts = stream.isTTY ? wrap(text, columnsOf(stream)) : [text];
  return render(
    parts.map((part) => line(part)),
    { isColored: false },
  );
}
