import type { Decision } from "../decision/index.ts";
import { canonicalJson } from "./canonical-json.ts";
import { RECORDING_VERSION, type RecordedPass } from "./recorded-pass.ts";

export interface Replay {
  readonly passes: number;
  /** Of the first pass that came out differently, the first difference. */
  readonly difference?: ReplayDifference;
}

export interface ReplayDifference {
  /** Counted from 1. */
  readonly line: number;
  readonly key: string;
  /** Such as `status.batch` or `desired[0].entries[2].replicas`. */
  readonly path: string;
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/** Decides every recorded world again and compares bit for bit. */
export function replay(lines: Iterable<string>, decide: (world: never) => Decision<unknown>): Replay {
  let number = 0;
  let passes = 0;
  for (const line of lines) {
    number++;
    if (line.trim() === "") continue;
    const pass = parseLine(line, number);
    passes++;
    const replayed = canonicalJson(decide(pass.world as never));
    if (replayed === canonicalJson(pass.decision)) continue;
    const difference = firstDifference(pass.decision, JSON.parse(replayed), "");
    if (difference) return { passes, difference: { line: number, key: pass.key, ...difference } };
  }
  return { passes };
}

function parseLine(line: string, number: number): RecordedPass {
  const pass = parseJson(line, number);
  if (pass.v !== RECORDING_VERSION)
    throw new Error(
      `line ${number}: a recording of version ${pass.v}; this program reads version ${RECORDING_VERSION}`,
    );
  return pass;
}

function parseJson(line: string, number: number): RecordedPass {
  try {
    return JSON.parse(line) as RecordedPass;
  } catch (cause) {
    throw new Error(`line ${number}: not JSON`, { cause });
  }
}

type Difference = Pick<ReplayDifference, "path" | "recorded" | "replayed">;

function firstDifference(recorded: unknown, replayed: unknown, path: string): Difference | undefined {
  if (canonicalJson(recorded) === canonicalJson(replayed)) return undefined;
  if (!isObject(recorded) || !isObject(replayed) || Array.isArray(recorded) !== Array.isArray(replayed))
    return { path, recorded, replayed };
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(replayed)])];
  for (const name of Array.isArray(recorded) ? names : names.toSorted()) {
    const inner = Array.isArray(recorded) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
    const difference = firstDifference(recorded[name], replayed[name], inner);
    if (difference) return difference;
  }
  return { path, recorded, replayed };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
