import type { Election } from "./election.ts";
import type { Standing } from "./standing.ts";

/** Whether this process is the one that acts. */
export interface Leadership {
  /** True at this very moment. Asked before every write: a process that was stopped meanwhile gets false. */
  isLeading(): boolean;
  /** Resolves when elected; never if that does not happen. */
  readonly elected: Promise<void>;
  /** Resolves when leadership was lost, which is final: stop, and let a new process stand. */
  readonly lost: Promise<void>;
  /** Lets go, so that another can start at once. To be called when the last worker has stopped. */
  release(): Promise<void>;
}

/** Where nobody else can act: a single replica, the embedded default. */
export const undisputed: Leadership = {
  isLeading: () => true,
  elected: Promise.resolve(),
  lost: new Promise(() => {}),
  release: () => Promise.resolve(),
};

/** The election in this thread: for virtual clocks and servers in the process. */
export function leadershipIn(standing: Standing, createElection: (onElected: () => void) => Election): Leadership {
  const stop = new AbortController();
  const elected = Promise.withResolvers<void>();
  const lost = Promise.withResolvers<void>();
  const ended = createElection(elected.resolve)
    .run(stop.signal)
    .then((end) => (end === "lost" ? lost.resolve() : undefined));
  return {
    isLeading: () => standing.isValid,
    elected: elected.promise,
    lost: lost.promise,
    release: async () => {
      stop.abort();
      await ended;
    },
  };
}
