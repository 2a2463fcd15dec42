// `npm run bench -- NAME`: measures, prints a table or JSON. All is measured in this run.
import { commandLine } from "@chaski/test/command-line";
import type { BenchOptions } from "./bench-options.ts";
import { benchCanaries } from "./canaries/bench.ts";
import { benchEngine } from "./engine.ts";
import type { Line } from "./line.ts";
import { benchEmbedded } from "./embedded/bench.ts";
import { benchFleet } from "./fleet/bench.ts";
import { benchRuntime } from "./runtime/bench.ts";
import { NoSuchStageError } from "./stages.ts";
import { formatTable } from "./table.ts";
import { benchTestbed } from "./testbed/bench.ts";

type Bench = (options: BenchOptions) => Promise<Line[]>;

const BENCHES: Readonly<Record<string, Bench>> = {
  embedded: benchEmbedded,
  canaries: benchCanaries,
  engine: benchEngine,
  fleet: benchFleet,
  runtime: benchRuntime,
  testbed: benchTestbed,
};

const usage = `usage: npm run bench -- NAME [options]
NAME is one of ${Object.keys(BENCHES).join(", ")}
  --json        one object per line of the table, and nothing else on standard output
  --only A,B    single stages, where it has several
  --scale 0.1   a short run, to try a change; goals are meant for 1
  --count 50    how many objects, where it lets you choose
  --real        on real control planes too, where that takes long`;

const { values, positionals, numberOf, misunderstood } = commandLine({
  usage,
  options: {
    count: { type: "string" },
    json: { type: "boolean", default: false },
    only: { type: "string" },
    real: { type: "boolean", default: false },
    scale: { type: "string", default: "1" },
  },
});
const [name = "", surplus] = positionals;
const bench = BENCHES[name] ?? misunderstood(name === "" ? "which one?" : `there is no bench ${name}`);
if (surplus !== undefined) misunderstood(`one at a time, and ${surplus} is one too many: --only names single stages`);
const options: BenchOptions = {
  scale: numberOf("scale", values.scale),
  count: values.count === undefined ? undefined : numberOf("count", values.count),
  only: values.only?.split(","),
  isReal: values.real,
  log: (line) => console.error(line),
};
const lines = await bench(options).catch((error: unknown) => {
  if (error instanceof NoSuchStageError) return misunderstood(error.message);
  throw error;
});
console.log(values.json ? JSON.stringify(lines, null, 2) : formatTable(lines));
const missed = lines.filter(({ met }) => met === false);
if (!values.json) console.log(missed.length === 0 ? "every goal is met" : `missed: ${missed.length} goals`);
