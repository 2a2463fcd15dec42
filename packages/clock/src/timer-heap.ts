import type { Timer } from "./clock.ts";

interface Entry {
  readonly dueMs: number;
  /** Ties fire in the order in which they were set. */
  readonly sequence: number;
  readonly fire: () => void;
  isCancelled: boolean;
}

/** Timers in the order in which they are due. A cancelled one is dropped when it comes to the top. */
export class TimerHeap {
  #entries: Entry[] = [];
  #sequence = 0;

  add(dueMs: number, fire: () => void): Timer {
    const entry: Entry = { dueMs, sequence: this.#sequence++, fire, isCancelled: false };
    this.#entries.push(entry);
    this.#rise(this.#entries.length - 1);
    return { cancel: () => void (entry.isCancelled = true) };
  }

  /** When the next timer is due; undefined if there is none. */
  nextDueMs(): number | undefined {
    while (this.#entries[0]?.isCancelled) this.#removeFirst();
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
