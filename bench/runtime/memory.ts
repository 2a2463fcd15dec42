// Memory that stays flat under a long run of events. Both sides watch the same writes.
import { atMost, type Line, shown } from "../line.ts";
import type { Field } from "./field.ts";
import { blockLines } from "./block-lines.ts";
import { seen } from "./latency.ts";
import type { LongestBlock } from "./loop-watch.ts";

interface Weights {
  readonly early: number;
  readonly late: number;
}

export async function benchMemory(field: Field, events: number): Promise<Line[]> {
  await using ours = await field.informer("ours", "ConfigMap");
  await using theirs = await field.informer("go-json", "ConfigMap");
  await Promise.all([ours.ask("start"), theirs.ask("start")]);
  const early = events / 10;
  const blocks: LongestBlock[] = [];
  const weigh = async (total: number): Promise<{ ours: number; theirs: number }> => {
    const [{ blockMs = 0, blockCpuMs = 0 }] = await Promise.all([seen(ours, total), seen(theirs, total)]);
    blocks.push({ blockMs, blockCpuMs });
    // Without its garbage: between two collections a heap's size says little about what is kept.
    await Promise.all([ours.ask("collect"), theirs.ask("collect")]);
    return { ours: ours.rssMb(), theirs: theirs.rssMb() };
  };
  await field.churn(early);
  const before = await weigh(early);
  await field.churn(events - early);
  const after = await weigh(events);
  return [
    ...blockLines(`${events} watch events`, blocks.slice(-1)),
    flatness(`our RSS after ${events} watch events, against after ${early}`, { early: before.ours, late: after.ours }),
    {
      ...flatness(`client-go's RSS after ${events} watch events, against after ${early}`, {
        early: before.theirs,
        late: after.theirs,
      }),
      goal: null,
      met: null,
    },
    shown({
      what: `RSS after ${events} watch events, against client-go on JSON`,
      unit: "MB",
      ours: after.ours,
      anchor: after.theirs,
    }),
  ];
}

/** Flat: a tenth more at most, since a heap breathes. */
function flatness(what: string, { early, late }: Weights): Line {
  return atMost(1.1, { what, unit: "MB", ours: late, anchor: early });
}
