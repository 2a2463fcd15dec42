// `npm run prove`: the rules of the releases engine, by random histories, by small worlds, by planted faults.
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { RealClock } from "@chaski/clock";
import { commandLine } from "@chaski/test/command-line";
import * as fc from "fast-check";
import { histories, run } from "./histories.ts";
import { ALONE, type Exploring, modelOf, PAIRS, THREE } from "./model-check.ts";
import { mutants } from "./mutants.ts";

const clock = new RealClock();
const RUNS_AT_ONCE = 200;
const ROUNDS_BETWEEN_LINES = 5;

const usage = `usage: npm run prove -- [options]
  --decisions 100000   random histories until so many decisions were made, every rule checked after each
  --seed 1             of the histories
  --model              small worlds instead, exhaustively
  --depth 8            of the model with three revisions
  --mutants            faults that are planted one by one: the tests must notice each`;

const { values, numberOf } = commandLine({
  usage,
  options: {
    decisions: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    mutants: { type: "boolean", default: false },
    model: { type: "boolean", default: false },
    depth: { type: "string", default: "8" },
  },
});

process.exitCode = await prove();

async function prove(): Promise<number> {
  if (values.mutants) return proveMutants();
  return values.model ? await proveModel(given("depth")) : proveDecisions(given("decisions"), given("seed"));
}

function given(option: "decisions" | "seed" | "depth"): number {
  return numberOf(option, values[option]);
}

/** One revision and two, each way to be released beside each, until nothing new is found; three to the depth given. */
async function proveModel(depth: number): Promise<number> {
  // The longest first, so that no core is left with it alone.
  const waiting = [{ ...THREE, depth }, ...PAIRS.toReversed(), ...ALONE];
  const edges = new Set<string>();
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      for (const edge of await exploreBeside(next)) edges.add(edge);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const { unmet, unknown, unreached } = modelOf(edges);
  console.log("every rule held, and every place has a way out");
  console.log(`${edges.size} edges between states; in the table and not met: ${unmet.join(", ") || "none"}`);
  if (unknown.length > 0) console.error(`not in the table: ${unknown.join(", ")}`);
  if (unreached.length > 0) console.error(`never reached: ${unreached.join(", ")}`);
  return unknown.length + unreached.length === 0 ? 0 : 1;
}

/** In a thread of its own; rejects where a rule is broken. */
function exploreBeside(exploring: Exploring): Promise<ReadonlySet<string>> {
  const worker = new Worker(new URL("model-worker.ts", import.meta.url), { workerData: exploring });
  return new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
}

function proveDecisions(wanted: number, seed: number): number {
  const made = { decisions: 0, histories: 0 };
  const startedMs = clock.monotonic();
  for (let round = 0; made.decisions < wanted; round++) {
    const details = fc.check(
      fc.property(histories, (history) => {
        made.decisions += run(history).decisions;
      }),
      { seed: seed * 1_000_003 + round, numRuns: RUNS_AT_ONCE },
    );
    made.histories += details.numRuns;
    if (round % ROUNDS_BETWEEN_LINES === 0) console.log(told(made, startedMs, seed));
    if (!details.failed) continue;
    console.error(`a rule is broken after ${made.decisions} decisions (seed ${details.seed})`);
    console.error(JSON.stringify(details.counterexample), details.errorInstance);
    return 1;
  }
  console.log(`${told(made, startedMs, seed)}: every rule held`);
  return 0;
}

function told(made: { decisions: number; histories: number }, startedMs: number, seed: number): string {
  const seconds = Math.round((clock.monotonic() - startedMs) / 1000);
  return `${made.decisions} decisions in ${made.histories} histories, ${seconds} s, seed ${seed}`;
}

function proveMutants(): number {
  if (!suitePasses("none", "tables")) throw new Error("the suite fails without any fault");
  const survivors = mutants.filter((mutant, index) => {
    const isNoticed = !doesPass(index);
    console.log(`${isNoticed ? "noticed " : "SURVIVED"} ${mutant.file}: ${mutant.name}`);
    return !isNoticed;
  });
  console.log(`${mutants.length - survivors.length} of ${mutants.length} planted faults noticed`);
  return survivors.length === 0 ? 0 : 1;
}

/** The tables first, which take a second; the histories only where they do not notice. */
function doesPass(index: number): boolean {
  return suitePasses(index, "tables") && suitePasses(index, "histories");
}

function suitePasses(index: number | "none", suite: "tables" | "histories"): boolean {
  const program = fileURLToPath(new URL("run-mutant.ts", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [program, String(index), suite], { encoding: "utf8" });
  if (stderr.includes("nothing to change in")) throw new Error(`mutant ${index} does not apply any more`);
  return status === 0;
}
