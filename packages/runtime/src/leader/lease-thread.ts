// Runs one candidacy in a thread and over a connection of its own, so that nothing that the main thread does or waits
// for can delay a renewal.
import { parentPort, workerData } from "node:worker_threads";
import { RealClock, systemRandom } from "@chaski/clock";
import { type Key, Lease } from "@chaski/kube";
import { connect } from "../kubeconfig/connection.ts";
import { type ConnectionSource, defaultConnection } from "../kubeconfig/load.ts";
import { thisMachine } from "../kubeconfig/machine.ts";
import { Election, type ElectionTimings } from "./election.ts";
import { SharedStanding } from "./standing.ts";

/** All that crosses to the thread. */
export interface LeaseThreadData {
  readonly source: ConnectionSource;
  readonly key: Key;
  readonly identity: string;
  readonly timings: ElectionTimings;
  readonly standing: SharedArrayBuffer;
}

export type LeaseThreadMessage =
  | { readonly type: "elected" }
  | { readonly type: "ended"; readonly end: "released" | "lost" }
  | { readonly type: "news"; readonly holder?: string; readonly error?: string };

export type LeaseThreadCommand = "release";

async function main(data: LeaseThreadData): Promise<void> {
  const clock = new RealClock();
  const stop = new AbortController();
  const tell = (message: LeaseThreadMessage): void => parentPort?.postMessage(message, []);
  parentPort?.on("message", (command: LeaseThreadCommand) => command === "release" && stop.abort());
  const connection = await defaultConnection(thisMachine(clock), data.source);
  const client = connect(connection, { clock, random: systemRandom, userAgent: "chaski-leader-election" });
  const election = new Election({
    leases: client.of(Lease),
    key: data.key,
    identity: data.identity,
    timings: data.timings,
    clock,
    random: systemRandom,
    standing: new SharedStanding(data.standing),
    onElected: () => tell({ type: "elected" }),
    onNews: ({ holder, error }) =>
      tell({
        type: "news",
        ...(holder !== undefined && { holder }),
        ...(error !== undefined && { error: error instanceof Error ? error.message : JSON.stringify(error) }),
      }),
  });
  const end = await election.run(stop.signal);
  await client.close();
  tell({ type: "ended", end });
  parentPort?.close();
}

await main(workerData as LeaseThreadData);
