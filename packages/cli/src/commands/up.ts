import type { Command } from "commander";
import { wholeNumber } from "../usage/arguments.ts";
import type { Finish } from "../usage/exit.ts";

interface Options {
  readonly clusters: number;
  readonly demo: boolean;
  readonly once: boolean;
}

export function addUp(program: Command, finish: Finish): void {
  program
    .command("up")
    .description("Run a fleet in this process, the operator on it, and a demo: a release, a roll-back, a canary.")
    .option("--clusters <n>", "clusters beside the delivery cluster", wholeNumber(1, 20), 3)
    .option("--no-demo", "only the fleet and the operator")
    .option("--once", "run the demo at speed, check it, end with 0 or 1; needs no terminal", false)
    .action(async ({ clusters, demo, once }: Options) => {
      const { runDemo } = await import("../demo/demo.ts");
      finish(await runDemo({ clusters, hasStory: demo, isOnce: once }));
    });
}
