import type { PassRecord } from "../controller/pass.ts";
import { canonicalJson } from "./canonical-json.ts";

export const RECORDING_VERSION = 1;

/** One line of a recording, as JSON. */
export interface RecordedPass {
  readonly v: number;
  /** Which decide it was: the controller's name, and the version of the program. */
  readonly engine: string;
  /** RFC 3339. */
  readonly at: string;
  /** `namespace/name` of the owner. */
  readonly key: string;
  readonly world: unknown;
  readonly decision: unknown;
}

/** Where recorded passes go. Must not block or throw. */
export interface Recording {
  write(owner: string, line: string): void;
}

function toLine({ controller, key, atMs, world, decision }: PassRecord, version: string): string {
  const pass: RecordedPass = {
    v: RECORDING_VERSION,
    engine: `${controller}@${version}`,
    at: new Date(atMs).toISOString(),
    key,
    world,
    decision,
  };
  return canonicalJson(pass);
}

/** Writes every pass of every controller to each of the recordings. */
export function recordTo(recordings: readonly Recording[], version: string): (record: PassRecord) => void {
  return (record) => {
    const line = toLine(record, version);
    for (const recording of recordings) recording.write(`${record.controller}:${record.key}`, line);
  };
}
