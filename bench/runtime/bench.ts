// The runtime against client-go, side by side on one API server: each side in a process of its own, measured alike.
import type { BenchOptions } from "../bench-options.ts";
import type { Line } from "../line.ts";
import { stagesOf } from "../stages.ts";
import { Field } from "./field.ts";
import { benchLatency } from "./latency.ts";
import { benchMemory } from "./memory.ts";
import { benchQueue } from "./queue.ts";
import { benchSync } from "./sync.ts";

const OBJECTS = 10_000;

interface Stage {
  readonly title: string;
  readonly run: (field: Field, scale: number) => Promise<Line[]>;
}

const STAGES: Readonly<Record<string, Stage>> = {
  sync: { title: "time to a synced cache", run: (field) => benchSync(field) },
  latency: { title: "latency of events", run: (field, scale) => benchLatency(field, Math.round(2_000 * scale)) },
  queue: { title: "the work queue", run: (field, scale) => benchQueue(field, Math.round(200 * scale)) },
  memory: { title: "memory over many events", run: (field, scale) => benchMemory(field, Math.round(200_000 * scale)) },
};

export async function benchRuntime({ scale, only, log }: BenchOptions): Promise<Line[]> {
  const stages = stagesOf(STAGES, only ?? Object.keys(STAGES));
  await using field = await Field.create(Math.round(OBJECTS * scale), log);
  const lines: Line[] = [];
  for (const stage of stages) {
    log(stage.title);
    lines.push(...(await stage.run(field, scale)));
  }
  return lines;
}
