import type { Dispatcher } from "undici";

const QUEUED_BYTES_MAX = 65_536;

export type ArrivingAnswer = Pick<Dispatcher.ResponseData, "statusCode" | "headers"> & {
  readonly body: AsyncIterable<Uint8Array>;
};

export interface Exchange {
  readonly options: Dispatcher.DispatchOptions;
  /** Called right before the first byte is written; if it throws, nothing is. */
  readonly onStart: (() => void) | undefined;
  readonly onEnd: (isComplete: boolean) => void;
}

/**
 * Resolves when the answer begins. What arrives is handed to the reader in the same turn, without a stream between them,
 * which costs more than all else that a small answer or an event of a watch needs.
 */
export function exchange(connection: Dispatcher, { options, onStart, onEnd }: Exchange): Promise<ArrivingAnswer> {
  const answer = Promise.withResolvers<ArrivingAnswer>();
  let body: ArrivingBody | undefined;
  connection.dispatch(options, {
    onRequestStart() {
      onStart?.();
    },
    onResponseStart(controller, statusCode, headers) {
      if (statusCode < 200) return;
      body = new ArrivingBody(controller);
      answer.resolve({ statusCode, headers, body });
    },
    onResponseData(_controller, chunk) {
      body?.push(chunk);
    },
    onResponseEnd() {
      onEnd(true);
      body?.end(undefined);
    },
    onResponseError(_controller, error) {
      onEnd(false);
      answer.reject(error);
      body?.end(error);
    },
  });
  return answer.promise;
}

type Next = IteratorResult<Uint8Array, undefined>;

/** For one reader. What came before a failure is read before the failure is. */
class ArrivingBody implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #controller: Dispatcher.DispatchController;
  readonly #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #reader: PromiseWithResolvers<Next> | undefined;
  #end: { readonly error: Error | undefined } | undefined;

  constructor(controller: Dispatcher.DispatchController) {
    this.#controller = controller;
  }

  push(chunk: Uint8Array): void {
    if (this.#reader) return this.#hand(({ resolve }) => resolve({ value: chunk, done: false }));
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes >= QUEUED_BYTES_MAX) this.#controller.pause();
  }

  end(error: Error | undefined): void {
    this.#end ??= { error };
    if (this.#reader) this.#hand((reader) => this.#finish(reader, error));
  }

  next(): Promise<Next> {
    const value = this.#queue.shift();
    if (value === undefined) return this.#arrival();
    this.#queuedBytes -= value.length;
    if (this.#controller.paused && this.#queue.length === 0) this.#controller.resume();
    return Promise.resolve({ value, done: false });
  }

  return(): Promise<Next> {
    if (!this.#end) this.#controller.abort(new Error("nobody reads on"));
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #arrival(): Promise<Next> {
    const reader = Promise.withResolvers<Next>();
    if (this.#end) this.#finish(reader, this.#end.error);
    else this.#reader = reader;
    return reader.promise;
  }

  #hand(over: (reader: PromiseWithResolvers<Next>) => void): void {
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader) over(reader);
  }

  #finish({ resolve, reject }: PromiseWithResolvers<Next>, error: Error | undefined): void {
    if (error) reject(error);
    else resolve({ value: undefined, done: true });
  }
}
