import { Fifo } from "../queue/fifo.ts";
import type { Recording } from "./recorded-pass.ts";

const LINES_PER_OWNER_MAX = 200;
const MEMORY_CHARACTERS_MAX = 64 * 2 ** 20;

interface Kept {
  readonly owner: string;
  readonly line: string;
  isDropped: boolean;
}

/** The last passes of every owner; of many owners with large worlds fewer each, the oldest go first. */
export class MemoryRecording implements Recording {
  readonly #charactersMax: number;
  readonly #byOwner = new Map<string, Kept[]>();
  readonly #oldestFirst = new Fifo<Kept>();
  #characters = 0;

  constructor(charactersMax = MEMORY_CHARACTERS_MAX) {
    this.#charactersMax = charactersMax;
  }

  write(owner: string, line: string): void {
    const kept: Kept = { owner, line, isDropped: false };
    const ofOwner = this.#byOwner.get(owner) ?? [];
    this.#byOwner.set(owner, ofOwner);
    ofOwner.push(kept);
    this.#oldestFirst.push(kept);
    this.#characters += line.length;
    if (ofOwner.length > LINES_PER_OWNER_MAX) this.#dropOldestOf(owner);
    while (this.#characters > this.#charactersMax && this.#dropOldest());
  }

  /** Oldest first; an owner is `controller:namespace/name`. */
  lines(owner: string): readonly string[] {
    return (this.#byOwner.get(owner) ?? []).map(({ line }) => line);
  }

  #dropOldest(): boolean {
    const oldest = this.#oldestFirst.shift();
    if (oldest && !oldest.isDropped) this.#dropOldestOf(oldest.owner);
    return oldest !== undefined;
  }

  #dropOldestOf(owner: string): void {
    const ofOwner = this.#byOwner.get(owner);
    const oldest = ofOwner?.shift();
    if (!oldest) return;
    oldest.isDropped = true;
    this.#characters -= oldest.line.length;
    if (ofOwner?.length === 0) this.#byOwner.delete(owner);
  }
}
