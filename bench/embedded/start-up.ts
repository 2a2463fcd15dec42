import { spawn } from "node:child_process";
import { join } from "node:path";
import { createEmbeddedCluster } from "@chaski/embedded";
import { ended, firstLine, nodeStartSeconds, residentMegabytes, startEmbedded } from "./embedded-server.ts";

export interface StartUp {
  /** The very first one, with nothing compiled before. */
  readonly firstSeconds: number;
  /** The median of later ones, from spawn until `/readyz` has answered with 200. */
  readonly seconds: number;
  /** The same without what Node itself takes. */
  readonly ownSeconds: number;
  readonly megabytes: number;
}

const ROUNDS = 5;

export async function measureStartUp(program: string): Promise<StartUp> {
  const first = await startEmbedded(program);
  await first.stop();
  const rounds: { seconds: number; nodeSeconds: number; megabytes: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startEmbedded(program);
    const megabytes = await server.megabytes();
    await server.stop();
    rounds.push({ seconds: server.startSeconds, nodeSeconds: await nodeStartSeconds(), megabytes });
  }
  const seconds = median(rounds.map((round) => round.seconds));
  return {
    firstSeconds: first.startSeconds,
    seconds,
    ownSeconds: seconds - median(rounds.map((round) => round.nodeSeconds)),
    megabytes: median(rounds.map((round) => round.megabytes)),
  };
}

/** No sockets and no process of its own: the first cluster in a process that has loaded the code. */
export async function inProcessStartSeconds(): Promise<number> {
  const startMs = performance.now();
  const cluster = await createEmbeddedCluster();
  const seconds = (performance.now() - startMs) / 1_000;
  await cluster.close();
  return seconds;
}

/** From spawn until all are ready. */
export async function startMany(count: number): Promise<{ seconds: number; megabytes: number }> {
  const script = join(import.meta.dirname, "twenty.ts");
  const startMs = performance.now();
  const child = spawn(process.execPath, [script, `${count}`], { stdio: ["pipe", "pipe", "inherit"] });
  await firstLine(child);
  const seconds = (performance.now() - startMs) / 1_000;
  const megabytes = await residentMegabytes([child.pid ?? 0]);
  await ended(child);
  return { seconds, megabytes };
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
