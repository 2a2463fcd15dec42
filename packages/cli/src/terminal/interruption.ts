export interface Interruption extends Disposable {
  readonly signal: AbortSignal;
  readonly ended: Promise<void>;
  /** As if somebody had interrupted. */
  stop(): void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ctrl-C, a signal to end or a terminal that is closed, as something that can be waited for. */
export function interruption(): Interruption {
  const stop = new AbortController();
  const ended = new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve(), { once: true }));
  const onSignal = (): void => stop.abort();
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    signal: stop.signal,
    ended,
    stop: onSignal,
    [Symbol.dispose]: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
