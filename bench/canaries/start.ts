import { closeSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MeasuredProcess } from "../runtime/measured-process.ts";
import type { Command } from "./side.ts";

const LOG = join(tmpdir(), `chaski-bench-${process.pid}.log`);

/** Rejects when it ends, which it should not. */
export async function endedEarly(program: MeasuredProcess): Promise<never> {
  throw new Error(`the program ended early with ${await program.exited()}; its log: ${LOG}`);
}

/** What it says goes to a file. */
export function start({ command, args, env = process.env }: Command): MeasuredProcess {
  const log = openSync(LOG, "w");
  try {
    return new MeasuredProcess(command, args, { env, log });
  } finally {
    closeSync(log);
  }
}
