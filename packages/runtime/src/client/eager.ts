/** What comes by itself: handed over in the turn in which it arrives, or read one by one. */
export interface Eager<T> extends AsyncIterable<T> {
  /** Resolves at the end. While a promise of the handler is pending, nothing more is handed over. */
  each(handle: Handler<T>): Promise<void>;
}

export type Handler<T> = (item: T) => Promise<void> | undefined;

/** In the same turn where that can be: a promise for each costs more than a small item is worth. */
export async function forEach<T>(items: AsyncIterable<T> | Eager<T>, handle: Handler<T>): Promise<void> {
  if ("each" in items) return items.each(handle);
  for await (const item of items) await handle(item);
}
