import type { Logger } from "../log/logger.ts";
import type { Runtime } from "./runtime.ts";

/** As much of a process as it takes to be ended. */
export interface SignalSource {
  on(signal: "SIGTERM" | "SIGINT", listener: () => void): unknown;
  off(signal: "SIGTERM" | "SIGINT", listener: () => void): unknown;
  exit(code: number): void;
}

const EXIT_INTERRUPTED = 130;
const EXIT_LOST = 1;

/**
 * Starts the runtime and keeps it until a signal comes or leadership is lost; resolves with the exit code. A second
 * signal ends the process at once.
 */
export async function runUntilSignal(runtime: Runtime, log: Logger, source: SignalSource = process): Promise<number> {
  const { promise: signalled, resolve } = Promise.withResolvers<number>();
  let signals = 0;
  const onSignal = (): void => {
    signals++;
    if (signals > 1) return source.exit(EXIT_INTERRUPTED);
    log.info("stopping: finishing what is in hand; a second signal ends at once");
    resolve(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) source.on(signal, onSignal);
  try {
    const lost = runtime.lost.then(() => EXIT_LOST);
    const code = await Promise.race([runtime.start().then(() => signalled), signalled, lost]);
    if (code === EXIT_LOST) log.error("leadership was lost: this process ends, a new one may stand");
    return code;
  } finally {
    await runtime.stop();
    for (const signal of ["SIGTERM", "SIGINT"] as const) source.off(signal, onSignal);
  }
}
