// One exploration of the model check, in a thread of its own.
import { parentPort, workerData } from "node:worker_threads";
import { RealClock } from "@chaski/clock";
import { explore, type Exploring } from "./model-check.ts";

const clock = new RealClock();
const exploring = workerData as Exploring;
const name = `${Object.values(exploring.kinds).join(" | ")}, ${exploring.isTogether ? "all inputs together" : "one by one"}`;
const startedMs = clock.monotonic();
const explored = explore(exploring, (line) => console.log(`${name}:${line}`));
const seconds = Math.round((clock.monotonic() - startedMs) / 1000);
const cpuSeconds = Math.round(process.threadCpuUsage().user / 1_000_000);
const end = explored.isExhausted ? "nothing new is left" : "as deep as asked";
console.log(
  `${name}: ${explored.places} places, ${explored.transitions} transitions, ${explored.decisions} decisions, ` +
    `depth ${explored.depth}, ${seconds} s (${cpuSeconds} s of one core): ${end}`,
);
parentPort?.postMessage(explored.edges, []);
