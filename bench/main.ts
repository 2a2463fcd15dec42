// `npm run bench -- NAME [--json] [--scale 0.1]`: measures, prints a table or JSON. All is measured in this run. A scale
// below 1 makes a short run of it, to try a change; goals are meant for 1.
import { parseArgs } from "node:util";
import type { Line } from "./line.ts";
import { benchRuntime } from "./runtime/bench.ts";
import { formatTable } from "./table.ts";

type Bench = (options: { readonly scale: number; readonly log: (line: string) => void }) => Promise<Line[]>;

const BENCHES: Readonly<Record<string, Bench>> = { runtime: benchRuntime };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, scale: { type: "string", default: "1" } },
});
const bench = BENCHES[positionals[0] ?? ""];
if (!bench) {
  console.error(
    `usage: npm run bench -- NAME [--json] [--scale 0.1], with NAME one of ${Object.keys(BENCHES).join(", ")}`,
  );
  process.exit(2);
}
const lines = await bench({ scale: Number(values.scale), log: (line) => console.error(line) });
console.log(values.json ? JSON.stringify(lines, null, 2) : formatTable(lines));
const missed = lines.filter(({ met }) => met === false);
if (!values.json) console.log(missed.length === 0 ? "every goal is met" : `missed: ${missed.length} goals`);
