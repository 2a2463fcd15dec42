import type { Timer } from "./clock.ts";

interface Entry {
  readonly dueMs: number;
  /** Ties fire in the order in which they were set. */
  readonly sequence: number;
  fire: () => void;
  isCancelled: boolean;
}

const NOTHING = (): void => {};
/** Below this they are not worth a look. */
const CANCELLED_MIN = 64;

/**
 * Timers in the order in which they are due. A cancelled one, as nearly every deadline ends, holds on to nothing any more;
 * it is dropped when it comes to the top, or when more than half are cancelled.
 */
export class TimerHeap {
  #entries: Entry[] = [];
  #sequence = 0;
  #cancelled = 0;

  add(dueMs: number, fire: () => void): Timer {
    const entry: Entry = { dueMs, sequence: this.#sequence++, fire, isCancelled: false };
    this.#entries.push(entry);
    this.#rise(this.#entries.length - 1);
    return { cancel: () => this.#cancel(entry) };
  }

  /** How many it holds, cancelled ones among them. */
  get size(): number {
    return this.#entries.length;
  }

  /** When the next timer is due; undefined if there is none. */
  nextDueMs(): number | undefined {
    while (this.#entries[0]?.isCancelled) {
      this.#removeFirst();
      this.#cancelled--;
    }
    return this.#entries[0]?.dueMs;
  }

  /** Fires the first timer if it is due. */
  fireNext(nowMs: number): boolean {
    const dueMs = this.nextDueMs();
    if (dueMs === undefined || dueMs > nowMs) return false;
    const first = this.#removeFirst();
    if (first) first.isCancelled = true;
    first?.fire();
    return true;
  }

  #cancel(entry: Entry): void {
    if (entry.isCancelled) return;
    entry.isCancelled = true;
    entry.fire = NOTHING;
    this.#cancelled++;
    if (this.#cancelled >= CANCELLED_MIN && this.#cancelled * 2 > this.#entries.length) this.#dropCancelled();
  }

  /** In order they are a heap, too. */
  #dropCancelled(): void {
    this.#entries = this.#entries
      .filter(({ isCancelled }) => !isCancelled)
      .toSorted((a, b) => a.dueMs - b.dueMs || a.sequence - b.sequence);
    this.#cancelled = 0;
  }

  #removeFirst(): Entry | undefined {
    const first = this.#entries[0];
    const last = this.#entries.pop();
    if (last && this.#entries.length > 0) {
      this.#entries[0] = last;
      this.#sink(0);
    }
    return first;
  }

  #rise(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(index, parent)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #sink(start: number): void {
    let index = start;
    for (;;) {
      const left = 2 * index + 1;
      const smaller = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#isBefore(smaller, index)) return;
      this.#swap(index, smaller);
      index = smaller;
    }
  }

  #isBefore(left: number, right: number): boolean {
    const a = this.#entries[left];
    const b = this.#entries[right];
    if (!a || !b) return a !== undefined;
    return a.dueMs === b.dueMs ? a.sequence < b.sequence : a.dueMs < b.dueMs;
  }

  #swap(left: number, right: number): void {
    const a = this.#entries[left];
    const b = this.#entries[right];
    if (!a || !b) return;
    this.#entries[left] = b;
    this.#entries[right] = a;
  }
}
