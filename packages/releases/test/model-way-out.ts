// No place is a dead end.
import { Cone } from "./model-cone.ts";
import { absent, good, type Inputs, type TagInputs } from "./model-inputs.ts";
import { keyOf, type Memory } from "./model-memory.ts";
import type { Kinds } from "./model-pass.ts";
import { BrokenRule } from "./rules.ts";

const PASSES = 40;
const OTHERS: readonly TagInputs[] = [good, { ...good, revision: "failed" }, absent];

/** From every place, whatever becomes of the others, one more good revision gets all of the traffic. */
export class WayOut {
  readonly #tags: readonly string[];
  readonly #newest: string;
  readonly #cone: Cone;
  readonly #good = OTHERS.map(() => new Set<Memory>());

  constructor(kinds: Kinds) {
    this.#newest = `v${Object.keys(kinds).length + 1}`;
    this.#cone = new Cone({ ...kinds, [this.#newest]: "datadog" });
    this.#tags = [...Object.keys(kinds), this.#newest];
  }

  get decisions(): number {
    return this.#cone.decisions;
  }

  check(memory: Memory): void {
    OTHERS.forEach((others, index) => {
      const tags = { ...Object.fromEntries(this.#tags.map((tag) => [tag, others])), [this.#newest]: good };
      this.#follow(memory, tags, this.#good[index] ?? new Set());
    });
  }

  #follow(from: Memory, tags: Inputs["tags"], isGood: Set<Memory>): void {
    const way: Memory[] = [];
    let memory = from;
    for (let count = 0; count < PASSES; count++) {
      way.push(memory);
      if (isGood.has(memory) || memory.live.weights[this.#newest] === 100) {
        for (const passed of way.slice(1)) isGood.add(passed);
        return;
      }
      memory = this.#cone.pass(this.#cone.frame(memory, "quiet"), tags);
    }
    const others = tags[this.#tags[0] ?? ""]?.revision;
    const told = [from, memory].map((end) => keyOf(end, this.#tags)).join(" leads to ");
    throw new BrokenRule(`a dead end while the others are ${others}: ${told}`);
  }
}
