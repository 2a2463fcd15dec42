// `why`: the gates in order, in sentences.
import { type Frame, type Line, line, span, type Style, wrap } from "./line.ts";
import type { Gate, Standing } from "./release.ts";
import { age, upcoming } from "./times.ts";

export const MARKS: Readonly<Record<Gate["verdict"], { readonly mark: string; readonly style: Style }>> = {
  passed: { mark: "✓", style: "green" },
  waiting: { mark: "…", style: "yellow" },
  failed: { mark: "✗", style: "red" },
  unknown: { mark: "?", style: "yellow" },
};

/** Anything with gates: a release, a Canary. */
export interface Waiting {
  readonly name: string;
  readonly gates: readonly Gate[];
  readonly standing: Standing;
}

export function drawWhy({ name, gates, standing }: Waiting, frame: Frame): readonly Line[] {
  return [...drawStanding(name, standing, frame), ...(gates.length > 0 ? [line("")] : []), ...drawGates(gates, frame)];
}

const HEADLINES: Readonly<Record<Standing["type"], { readonly word: string; readonly style: Style }>> = {
  new: { word: "is new", style: "yellow" },
  paused: { word: "is paused", style: "yellow" },
  released: { word: "waits for nothing", style: "green" },
  "rolling back": { word: "rolls back", style: "red" },
  "rolled back": { word: "rolled back", style: "red" },
  stalled: { word: "is stalled", style: "red" },
  waiting: { word: "waits", style: "yellow" },
};

/** The headline: what it waits for, and until when. */
export function drawStanding(name: string, { type, message, gate }: Standing, frame: Frame): readonly Line[] {
  const { word, style } = HEADLINES[type];
  const [first = "", ...rest] = wrap(`${name} ${word}: ${message}${whenText(gate, frame)}`, frame.columns);
  const head = first.startsWith(name) ? line(span(name, "bold"), span(first.slice(name.length), style)) : line(first);
  return [head, ...rest.map((text) => line(span(text, style)))];
}

export function drawGates(gates: readonly Gate[], frame: Frame): readonly Line[] {
  return gates.flatMap((gate) => [
    ...drawGate(gate, frame),
    ...(gate.verdict === "passed" ? [] : drawHelp(gate, frame)),
  ]);
}

function drawGate(gate: Gate, frame: Frame): readonly Line[] {
  const { mark, style } = MARKS[gate.verdict];
  const [first = "", ...rest] = wrap(`${gate.name}: ${gate.message}${numbersOf(gate)}`, frame.columns - 4);
  const tail = gate.verdict === "passed" ? ("dim" as const) : undefined;
  return [line("  ", span(mark, style), " ", span(first, tail)), ...rest.map((text) => line("    ", span(text, tail)))];
}

/** Only where the sentence does not say them itself. */
function numbersOf({ value, threshold, message, verdict }: Gate): string {
  if (value === undefined || threshold === undefined || verdict === "passed") return "";
  return message.includes(value) || message.includes(threshold) ? "" : ` (${value} → ${threshold})`;
}

const INDENT = "    ";

/** To go on with after its message. */
export function whenText(gate: Gate | undefined, frame: Frame): string {
  const when = upcoming(gate?.earliest, frame);
  return when ? `, ${when}` : "";
}

function drawHelp(gate: Gate, frame: Frame): readonly Line[] {
  const { unblock, earliest, since, verdict } = gate;
  const when = upcoming(earliest, frame);
  const word = verdict === "failed" ? "for" : "waiting";
  const parts = [
    unblock && `→ ${unblock}`,
    [when && `earliest ${when}`, since && `${word} ${age(since, frame)}`].filter(Boolean).join("; "),
  ].filter((text) => typeof text === "string" && text !== "");
  return parts
    .flatMap((text) => wrap(String(text), frame.columns - INDENT.length))
    .map((text) => line(INDENT, span(text, "cyan")));
}
