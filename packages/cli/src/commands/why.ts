// `why`: the gates in order. They are in the object's status, so nothing but the Kubernetes API is asked.
import type { Command } from "commander";
import {
  type ClusterOptions,
  type Session,
  withClusterOptions,
  withOutput,
  withSession,
} from "../cluster/cluster-options.ts";
import { canaryNameIn, findCanary } from "../cluster/find-canary.ts";
import { findRelease } from "../cluster/find-release.ts";
import { columnsOf, print } from "../terminal/print.ts";
import { canaryStanding } from "../views/canary-line.ts";
import { drawWhy, type Waiting } from "../views/gates.ts";
import { releaseOf } from "../views/release.ts";

export function addWhy(program: Command): void {
  const command = program
    .command("why <app[/target]>")
    .description(
      "Tell what a release waits for: every gate, what would help, the earliest time. Of a Canary: canary/NAME.",
    );
  withOutput(withClusterOptions(command), "json prints the gates").action((name: string, options: ClusterOptions) =>
    withSession(options, async (session) => {
      const waiting = await waitingOf(session, name);
      if (options.output === "json") return console.log(JSON.stringify(waiting.gates, null, 2));
      print(drawWhy(waiting, { columns: columnsOf(process.stdout), nowMs: session.clock.now() }));
    }),
  );
}

async function waitingOf(session: Session, text: string): Promise<Waiting> {
  const canary = canaryNameIn(text);
  if (canary !== undefined) return canaryStanding(await findCanary(session, canary));
  return releaseOf(await findRelease(session, text));
}
