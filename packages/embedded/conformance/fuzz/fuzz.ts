// Random sequences on both servers; a disagreement is shrunk to the operations that it needs.
import { seededRandom } from "@chaski/clock";
import type { ConformanceCase } from "../case.ts";
import { Requests } from "../requests.ts";
import { compare, type Disagreement, type Servers } from "../run.ts";
import { type Operation, perform, randomSequence } from "./operations.ts";
import { installWidgets } from "./widget.ts";

export interface FuzzOptions {
  readonly sequences: number;
  readonly seed: number;
  /** Namespaces are named after it. */
  readonly run: string;
  readonly onDisagreement: (found: Shrunk) => void;
}

export interface Shrunk {
  readonly seed: number;
  readonly operations: readonly Operation[];
  readonly disagreements: readonly Disagreement[];
}

const AT_ONCE = 8;
const SHRINKS_MAX = 60;

/** How many sequences the servers disagree on. */
export async function fuzz(servers: Servers, { sequences, seed, run, onDisagreement }: FuzzOptions): Promise<number> {
  await Promise.all([servers.embedded, servers.real].map((transport) => installWidgets(new Requests(transport))));
  const trial = new Trial(servers, run);
  let [next, count] = [0, 0];
  const work = async (): Promise<void> => {
    while (next < sequences) {
      const own = seed + next++;
      const operations = randomSequence(seededRandom(own));
      const disagreements = await trial.play(operations);
      if (disagreements.length === 0) continue;
      count++;
      onDisagreement({ seed: own, ...(await trial.shrink(operations, disagreements)) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return count;
}

class Trial {
  readonly #servers: Servers;
  readonly #run: string;
  #count = 0;

  constructor(servers: Servers, run: string) {
    this.#servers = servers;
    this.#run = run;
  }

  async play(operations: readonly Operation[]): Promise<Disagreement[]> {
    const sequence: ConformanceCase = {
      name: "random sequence",
      run: async ({ api, namespace }) => {
        for (const operation of operations) await perform(api, namespace, operation);
        // Services hold addresses, of which a small cluster has few.
        const last = operations.at(-1);
        for (const name of ["a", "b"])
          if (last) await perform(api.unrecorded(), namespace, { ...last, verb: "delete", name });
      },
    };
    const found = await compare(this.#servers, sequence, `${this.#run}-f${this.#count++}`);
    return found.filter(({ isInWordsOnly }) => !isInWordsOnly);
  }

  /** Leaves out operations for as long as the servers still disagree. */
  async shrink(operations: readonly Operation[], disagreements: Disagreement[]): Promise<Omit<Shrunk, "seed">> {
    let [kept, found] = [operations, disagreements];
    for (let index = kept.length - 1, tries = 0; index >= 0 && tries < SHRINKS_MAX; index--, tries++) {
      const fewer = kept.filter((_, position) => position !== index);
      const still = await this.play(fewer);
      if (still.length > 0) [kept, found] = [fewer, still];
    }
    return { operations: kept, disagreements: found };
  }
}
