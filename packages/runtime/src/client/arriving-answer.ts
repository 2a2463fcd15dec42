import type { Dispatcher } from "undici";
import type { Eager, Handler } from "./eager.ts";

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

/** Whom chunks are handed over to. */
interface Hearer {
  readonly handle: Handler<Uint8Array>;
  readonly whole: PromiseWithResolvers<void>;
  isBusy: boolean;
}

/** For one reader or one hearer. What came before a failure is read before the failure is. */
class ArrivingBody implements Eager<Uint8Array>, AsyncIterableIterator<Uint8Array, undefined> {
  readonly #controller: Dispatcher.DispatchController;
  readonly #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #reader: PromiseWithResolvers<Next> | undefined;
  #hearer: Hearer | undefined;
  #end: { readonly error: Error | undefined } | undefined;

  constructor(controller: Dispatcher.DispatchController) {
    this.#controller = controller;
  }

  push(chunk: Uint8Array): void {
    if (this.#reader) return this.#hand(({ resolve }) => resolve({ value: chunk, done: false }));
    if (this.#hearer && !this.#hearer.isBusy) return this.#handle(this.#hearer, chunk);
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes >= QUEUED_BYTES_MAX) this.#controller.pause();
  }

  end(error: Error | undefined): void {
    this.#end ??= { error };
    if (this.#reader) this.#hand((reader) => this.#finish(reader, error));
    if (this.#hearer) this.#tell(this.#hearer);
  }

  each(handle: Handler<Uint8Array>): Promise<void> {
    const hearer = { handle, whole: Promise.withResolvers<void>(), isBusy: false };
    this.#hearer = hearer;
    this.#tell(hearer);
    return hearer.whole.promise;
  }

  next(): Promise<Next> {
    const value = this.#shift();
    if (value === undefined) return this.#arrival();
    this.#resume();
    return Promise.resolve({ value, done: false });
  }

  return(): Promise<Next> {
    if (!this.#end) this.#controller.abort(new Error("nobody reads on"));
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Whoever has thrown hears nothing more. */
  #tell(hearer: Hearer): void {
    while (!hearer.isBusy) {
      const chunk = this.#shift();
      if (chunk === undefined) break;
      this.#handle(hearer, chunk);
    }
    if (hearer.isBusy) return;
    if (this.#end?.error) hearer.whole.reject(this.#end.error);
    else if (this.#end) hearer.whole.resolve();
    else this.#resume();
  }

  #handle(hearer: Hearer, chunk: Uint8Array): void {
    hearer.isBusy = true;
    try {
      const handling = hearer.handle(chunk);
      if (!handling) hearer.isBusy = false;
      else void handling.then(() => this.#goOn(hearer), hearer.whole.reject);
    } catch (error) {
      hearer.whole.reject(error);
    }
  }

  #goOn(hearer: Hearer): void {
    hearer.isBusy = false;
    this.#tell(hearer);
  }

  #shift(): Uint8Array | undefined {
    const chunk = this.#queue.shift();
    this.#queuedBytes -= chunk?.length ?? 0;
    return chunk;
  }

  /** What was held back may come at once, before this returns. */
  #resume(): void {
    if (this.#controller.paused && this.#queue.length === 0) this.#controller.resume();
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
