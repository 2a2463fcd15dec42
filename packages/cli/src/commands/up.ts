import type { Command } from "commander";
import type { Finish } from "../exit.ts";

export function addUp(program: Command, finish: Finish): void {
  program
    .command("up")
    .description("Start a cluster in this process, the operator on it, and a demo release.")
    .option("--once", "approve by itself, end when the release is finished; needs no terminal", false)
    .action(async ({ once }: { readonly once: boolean }) => {
      const { runDemo } = await import("../demo/demo.ts");
      finish(await runDemo({ isOnce: once }));
    });
}
