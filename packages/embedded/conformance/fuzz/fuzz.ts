// The differential fuzzer: random sequences on both servers; where they disagree, the shortest sequence that shows it.
import { compare, type Disagreement, type Servers } from "../run.ts";
import { establishDefinitions } from "./definitions.ts";
import { generate } from "./generate.ts";
import { BUILT_INS } from "./kinds.ts";
import { describe, run, type Sequence } from "./operation.ts";
import { shrink } from "./shrink.ts";

export interface FuzzOptions {
  /** Prefixes namespaces. */
  readonly run: string;
  readonly sequences: number;
  readonly seed: number;
  /** Only kinds whose name contains this. */
  readonly only?: string;
  readonly onDisagreement: (found: Disagreement) => void;
}

/** How many sequences run at the same time, each in a namespace of its own. */
const PARALLEL = 8;

/** How many sequences the servers disagreed on. */
export async function fuzz(servers: Servers, options: FuzzOptions): Promise<number> {
  const custom = await establishDefinitions(servers, options.run);
  const kinds = [...BUILT_INS, ...custom].filter(({ kind }) => kind.includes(options.only ?? ""));
  const seeds = Array.from({ length: options.sequences }, (_, index) => options.seed + index).values();
  let disagreements = 0;
  const workers = Array.from({ length: PARALLEL }, async (_, worker) => {
    const differ = new Comparison(servers, `${options.run}-f${worker}`);
    for (const seed of seeds) {
      const found = await differ.smallestDisagreement(generate(seed, kinds));
      if (!found) continue;
      disagreements++;
      options.onDisagreement(found);
    }
  });
  await Promise.all(workers);
  return disagreements;
}

class Comparison {
  readonly #servers: Servers;
  readonly #prefix: string;
  #namespaces = 0;

  constructor(servers: Servers, prefix: string) {
    this.#servers = servers;
    this.#prefix = prefix;
  }

  async smallestDisagreement(sequence: Sequence): Promise<Disagreement | undefined> {
    const found = await this.#compare(sequence);
    if (!found) return undefined;
    let smallest = found;
    await shrink(sequence, async (smaller) => {
      const again = await this.#compare(smaller);
      if (!again || nature(again) !== nature(found)) return false;
      smallest = again;
      return true;
    });
    return smallest;
  }

  /** The first that is not in words only; what follows it may follow from it. */
  async #compare(sequence: Sequence): Promise<Disagreement | undefined> {
    const namespace = `${this.#prefix}-${this.#namespaces++}`;
    const name = script(sequence);
    const found = await compare(this.#servers, { name, run: (scene) => run(sequence, scene) }, namespace);
    return found.find(({ isInWordsOnly }) => !isInWordsOnly);
  }
}

/** So that shrinking does not wander from one disagreement to another. */
function nature({ request, embedded, real }: Disagreement): string {
  const answers = [embedded, real].map((answer) => {
    const { status, reason } = (answer ?? {}) as { status?: number; reason?: string };
    return `${status ?? ""} ${reason ?? ""}`;
  });
  return [request.split(" ", 1), ...answers].join();
}

function script({ seed, kind, operations }: Sequence): string {
  const lines = operations.map((operation) => `    ${describe(operation, kind)}`);
  return [`seed ${seed}`, ...lines].join("\n");
}
