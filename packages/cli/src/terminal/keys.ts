// Keys that move a view. Without a keyboard there are none, and nothing is changed.
import type { Move } from "./viewport.ts";

const MOVES: Readonly<Record<string, Move>> = {
  "\u001b[A": "up",
  "\u001bOA": "up",
  k: "up",
  "\u001b[B": "down",
  "\u001bOB": "down",
  j: "down",
  "\u001b[5~": "page up",
  b: "page up",
  "\u001b[6~": "page down",
  " ": "page down",
  "\u001b[H": "home",
  "\u001b[1~": "home",
  g: "home",
  "\u001b[F": "end",
  "\u001b[4~": "end",
  G: "end",
};
/** What a terminal turns into a signal, or an end, when it is not asked for single keys. */
const ENDS: ReadonlySet<string> = new Set(["\u0003", "\u0004", "q"]);

/** Until the end of it, keys come singly, and are not shown. */
export function readKeys(input: NodeJS.ReadStream, onMove: (move: Move) => void): Disposable {
  if (!input.isTTY) return { [Symbol.dispose]: () => {} };
  const onData = (text: string): void => {
    const move = MOVES[text];
    if (move !== undefined) onMove(move);
    else if (ENDS.has(text)) process.kill(process.pid, "SIGINT");
  };
  input.setRawMode(true).setEncoding("utf8").on("data", onData);
  return {
    [Symbol.dispose]: () => {
      input.off("data", onData).setRawMode(false);
      input.pause();
    },
  };
}
