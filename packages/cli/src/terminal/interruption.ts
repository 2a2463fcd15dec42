export interface Interruption extends Disposable {
  readonly signal: AbortSignal;
  readonly ended: Promise<void>;
  /** As if somebody had interrupted. */
  stop(): void;
}

/** Ctrl-C or a signal to end, as something that can be waited for. */
export function interruption(): Interruption {
  const stop = new AbortController();
  const ended = new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve(), { once: true }));
  const onSignal = (): void => stop.abort();
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return {
    signal: stop.signal,
    ended,
    stop: onSignal,
    [Symbol.dispose]: () => void process.off("SIGINT", onSignal).off("SIGTERM", onSignal),
  };
}
