// The runtime against client-go, side by side on one API server: each side in a process of its own, measured alike.
import type { Line } from "../line.ts";
import { Field } from "./field.ts";
import { benchLatency } from "./latency.ts";
import { benchMemory } from "./memory.ts";
import { benchQueue } from "./queue.ts";
import { benchSync } from "./sync.ts";

const OBJECTS = 10_000;
const LATENCY_WRITES = 2_000;
const MEMORY_EVENTS = 200_000;
const QUEUE_PASSES = 200;

export interface BenchOptions {
  readonly scale: number;
  readonly log: (line: string) => void;
}

export async function benchRuntime({ scale, log }: BenchOptions): Promise<Line[]> {
  await using field = await Field.create(Math.round(OBJECTS * scale), log);
  log("time to a synced cache");
  const sync = await benchSync(field);
  log("latency of events");
  const latency = await benchLatency(field, Math.round(LATENCY_WRITES * scale));
  log("the work queue");
  const queue = await benchQueue(field, Math.round(QUEUE_PASSES * scale));
  log("memory over many events");
  const memory = await benchMemory(field, Math.round(MEMORY_EVENTS * scale));
  return [...sync, ...latency, ...queue, ...memory];
}
