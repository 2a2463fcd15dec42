import type { Deadline, Timer } from "./clock.ts";

type After = (delayMs: number, fire: () => void) => Timer;

/** `sleep` and `deadline` for any clock, from its `after`. */
export function sleepOn(after: After, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const onAbort = (): void => {
      timer.cancel();
      reject(signal?.reason as Error);
    };
    const timer = after(delayMs, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

export function deadlineOn(after: After, delayMs: number): Deadline {
  const controller = new AbortController();
  const timer = after(delayMs, () =>
    controller.abort(new DOMException(`not finished within ${delayMs} ms`, "TimeoutError")),
  );
  const cancel = (): void => timer.cancel();
  return { signal: controller.signal, cancel, [Symbol.dispose]: cancel };
}
