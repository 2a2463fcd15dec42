import { Worker } from "node:worker_threads";
import type { Key } from "@chaski/kube";
import type { ConnectionSource } from "../kubeconfig/load.ts";
import { ELECTION_TIMINGS, type ElectionTimings } from "./election.ts";
import type { Leadership } from "./leadership.ts";
import type { LeaseThreadCommand, LeaseThreadData, LeaseThreadMessage } from "./lease-thread.ts";
import { SharedStanding } from "./standing.ts";

export interface LeadershipOptions {
  /** Where the thread finds its cluster: as `defaultConnection` does. */
  readonly source: ConnectionSource;
  readonly key: Key;
  /** Unique to the process, such as the pod's name and a random part. */
  readonly identity: string;
  readonly timings?: ElectionTimings;
  onNews?(news: { readonly holder?: string; readonly error?: string }): void;
}

/**
 * Stands for leadership in a thread of its own. The main thread reads the standing from shared memory, so the answer
 * is right also after the main thread, or the whole process, stood still.
 */
export function leadershipInThread(options: LeadershipOptions): Leadership {
  const standing = new SharedStanding();
  const { source, key, identity, timings = ELECTION_TIMINGS } = options;
  const data: LeaseThreadData = { source, key, identity, timings, standing: standing.buffer };
  const thread = new Worker(new URL("./lease-thread.ts", import.meta.url), { workerData: data });
  const elected = Promise.withResolvers<void>();
  const lost = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let hasReleased = false;
  const onEnd = (isLost: boolean): void => {
    standing.end();
    if (isLost && !hasReleased) lost.resolve();
    ended.resolve();
  };
  thread.on("message", (message: LeaseThreadMessage) => {
    if (message.type === "elected") elected.resolve();
    else if (message.type === "ended") onEnd(message.end === "lost");
    else options.onNews?.(message);
  });
  // A thread that died renews no more: as good as lost, also for one that was still waiting.
  thread.on("error", (error) => {
    options.onNews?.({ error: `the thread that renews the lease failed: ${String(error)}` });
    onEnd(true);
  });
  thread.on("exit", () => onEnd(true));
  return {
    isLeading: () => standing.isValid,
    elected: elected.promise,
    lost: lost.promise,
    release: async () => {
      hasReleased = true;
      thread.postMessage("release" satisfies LeaseThreadCommand, []);
      await ended.promise;
    },
  };
}
