// The suite against an engine with one planted fault: `run-mutant.ts <number in mutants.ts, or none> tables|histories`.
import { fileURLToPath } from "node:url";
import { startVitest } from "vitest/node";
import { mutants } from "./mutants.ts";

const [, , index, suite] = process.argv;
const mutant = mutants[Number(index)];
if (!mutant && index !== "none") throw new Error(`no mutant ${index}`);

const histories = ["histories", "state-graph"].map((name) => `packages/releases/src/engine/${name}.test.ts`);
const tables = { include: ["packages/releases/src/engine/**/*.test.ts"], exclude: histories };

const vitest = await startVitest(
  "test",
  [],
  {
    root: fileURLToPath(new URL("../../..", import.meta.url)),
    config: false,
    watch: false,
    bail: 1,
    // What was transformed without the fault, or with another one, must not be taken for this one.
    fsModuleCache: false,
    pool: "threads",
    isolate: false,
    maxWorkers: 1,
    reporters: ["dot"],
    ...(suite === "histories" ? { include: histories } : tables),
  },
  {
    plugins: [
      {
        name: "plant-a-fault",
        enforce: "pre",
        transform(code: string, id: string) {
          if (!mutant || !id.endsWith(`/releases/src/engine/${mutant.file}`)) return undefined;
          if (!code.includes(mutant.find)) throw new Error(`nothing to change in ${mutant.file}: ${mutant.find}`);
          return { code: code.replace(mutant.find, () => mutant.replace), map: null };
        },
      },
    ],
  },
);
await vitest.close();
