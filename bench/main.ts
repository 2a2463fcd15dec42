// `npm run bench -- NAME [--json] [--only STAGE,STAGE] [--scale 0.1] [--count 50] [--real]`: measures, prints a table or JSON. All is measured
// in this run.
import { parseArgs } from "node:util";
import type { BenchOptions } from "./bench-options.ts";
import { benchCanaries } from "./canaries/bench.ts";
import { benchEngine } from "./engine.ts";
import type { Line } from "./line.ts";
import { benchEmbedded } from "./embedded/bench.ts";
import { benchFleet } from "./fleet/bench.ts";
import { benchRuntime } from "./runtime/bench.ts";
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string" },
    json: { type: "boolean", default: false },
    only: { type: "string" },
    real: { type: "boolean", default: false },
    scale: { type: "string", default: "1" },
  },
});
const bench = BENCHES[positionals[0] ?? ""];
if (!bench) {
  console.error("usage: npm run bench -- NAME [--json] [--only STAGE,STAGE] [--scale 0.1] [--count 50] [--real]");
  console.error(`NAME is one of ${Object.keys(BENCHES).join(", ")}`);
  process.exit(2);
}
const lines = await bench({
  scale: Number(values.scale),
  count: values.count === undefined ? undefined : Number(values.count),
  only: values.only?.split(","),
  isReal: values.real,
  log: (line) => console.error(line),
});
console.log(values.json ? JSON.stringify(lines, null, 2) : formatTable(lines));
const missed = lines.filter(({ met }) => met === false);
if (!values.json) console.log(missed.length === 0 ? "every goal is met" : `missed: ${missed.length} goals`);
