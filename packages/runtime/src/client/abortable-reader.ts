/** Reads a body until its end, or until the signal aborts, whatever the body does then. One listener for all reads. */
export class AbortableReader implements Disposable {
  readonly #body: AsyncIterator<Uint8Array>;
  readonly #signal: AbortSignal;
  readonly #onAbort = (): void => this.#reject(this.#signal.reason as Error);
  #reject: (reason: Error) => void = () => {};

  constructor(body: AsyncIterable<Uint8Array>, signal: AbortSignal) {
    this.#body = body[Symbol.asyncIterator]();
    this.#signal = signal;
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** One at a time. */
  next(): Promise<IteratorResult<Uint8Array>> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#signal.aborted) this.#onAbort();
      this.#body.next().then(resolve, reject);
    });
  }

  [Symbol.dispose](): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
    // Not awaited: a body that hangs must not hold back whoever left it.
    void Promise.resolve(this.#body.return?.()).catch(() => undefined);
  }
}
