/** First in, first out, without moving what waits: what was taken is cut off once it is half of the array. */
export class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.#head === this.#items.length) return undefined;
    const item = this.#items[this.#head++];
    if (this.#head === this.#items.length) {
      this.#items = [];
      this.#head = 0;
    } else if (this.#head >= 1_024 && this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}

/** First in, first out, where an item may also leave from the middle; slower than a Fifo. */
export class RevocableFifo<T> {
  readonly #items = new Set<T>();
  /** Kept between calls: a fresh one would walk over all that was taken before. */
  #cursor = this.#items.values();

  push(item: T): void {
    this.#items.add(item);
  }

  delete(item: T): void {
    this.#items.delete(item);
  }

  shift(): T | undefined {
    if (this.#items.size === 0) return undefined;
    let next = this.#cursor.next();
    if (next.done) {
      this.#cursor = this.#items.values();
      next = this.#cursor.next();
    }
    if (next.done) return undefined;
    this.#items.delete(next.value);
    return next.value;
  }
}
