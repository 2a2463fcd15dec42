/** Work by key, one after the other, soon: a key that waits already is not added twice. */
export class Backlog {
  readonly #keys = new Set<string>();
  readonly #process: (key: string) => Promise<void>;
  #isRunning = false;

  constructor(process: (key: string) => Promise<void>) {
    this.#process = process;
  }

  add(key: string): void {
    this.#keys.add(key);
    if (this.#isRunning) return;
    this.#isRunning = true;
    queueMicrotask(() => void this.#run());
  }

  async #run(): Promise<void> {
    for (const key of this.#keys) {
      this.#keys.delete(key);
      // What fails here (an object that changed or went meanwhile) is looked at again with its next event.
      await this.#process(key).catch(() => undefined);
    }
    this.#isRunning = false;
    const [next] = this.#keys;
    if (next !== undefined) this.add(next);
  }
}
