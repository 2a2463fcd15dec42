// What one, two or three revisions can do to each other, explored with the real decision.
//
// A place is what the system itself remembers between two passes: the status and what the cluster has (model-memory.ts).
// Everything else is an input of the pass, from a small alphabet (model-inputs.ts). What is abstracted:
// - Time. Each clock (delay, drain, canary, a state's limit) is over or not, by choice, so the check holds for clocks of
//   every length; a decision never sees another time than the same noon. Garbage is only marked, and not explored.
// - Numbers. One pod carries everything (scale 1..1), so capacity is yes or no; a step and a canary are 50 %, so
//   percents are 0, 50 and 100. Saved pod counts and estimates then change no decision and are not remembered.
// - The fleet. One cluster, which a pass reaches or not; its writes arrive wholly or not at all.
// - Evidence. Unknown or good: bad holds as unknown does below the judge's limit, and as good does above it.
// - People. A revision comes, fails, is good after all, goes; tests in each of their states; eligible or not, expired
//   or not; pause, promote, a closed schedule. A test that has succeeded fails again only while a rule asks for it.
// - Datadog's canary stands for the other one where no test is wanted: rules treat the two alike. Of two revisions at
//   most one has a test: tests are over before there is traffic, and touch no other revision.
// Prefixes of writes, lagging caches, several clusters, real numbers and lost status are the histories' part.
//
// With `together`, a pass meets every combination of inputs. Without, at most one thing is out of order in a pass, and
// what people have done stays until they do something else; the place then includes it.
import {
  absent,
  arounds,
  good,
  type Inputs,
  type Kind,
  presentInputs,
  runningClocks,
  type TagInputs,
  tagInputs,
  withIdleClocksTurned,
} from "./model-inputs.ts";
import { keyOf, type Memory, nothing } from "./model-memory.ts";
import { type Kinds, pass } from "./model-pass.ts";
import { BrokenRule } from "./rules.ts";
import { explore as exploreTable } from "./state-graph.ts";
import { states } from "../src/engine/index.ts";

export interface Exploring {
  /** By tag, oldest first. */
  readonly kinds: Kinds;
  readonly isTogether: boolean;
  readonly depth?: number;
  readonly log?: (line: string) => void;
}

/** A way to be released for each revision, oldest first. */
function revisions(...kinds: readonly Kind[]): Kinds {
  return Object.fromEntries(kinds.map((kind, index) => [`v${index + 1}`, kind]));
}

const BOTH: Kind = "canary and test";

export const ALONE: readonly Exploring[] = [
  { kinds: revisions("datadog"), isTogether: true },
  { kinds: revisions(BOTH), isTogether: true },
];

export const PAIRS: readonly Exploring[] = [
  { kinds: revisions("datadog", "datadog"), isTogether: true },
  { kinds: revisions("datadog", BOTH), isTogether: true },
  { kinds: revisions(BOTH, "datadog"), isTogether: true },
];

export const THREE: Exploring = { kinds: revisions("datadog", "datadog", BOTH), isTogether: false };

export interface Explored {
  readonly places: number;
  readonly transitions: number;
  /** How many passes it takes to get to the farthest place. */
  readonly depth: number;
  readonly isExhausted: boolean;
  /** `from → to` */
  readonly edges: ReadonlySet<string>;
}

interface Place {
  readonly memory: Memory;
  /** What people have done; at rest otherwise. */
  readonly tags: Inputs["tags"];
}

const SAMPLE_EVERY = 97;

/** Breadth first, each place once; to the depth given, or until nothing new is found. */
export function explore(exploring: Exploring): Explored {
  return new Exploration(exploring).run();
}

class Exploration {
  readonly #exploring: Exploring;
  readonly #tags: readonly string[];
  readonly #places = new Map<string, Memory>();
  readonly #edges = new Set<string>();
  readonly #wayOut: WayOut;
  #transitions = 0;

  constructor(exploring: Exploring) {
    this.#exploring = exploring;
    this.#tags = Object.keys(exploring.kinds);
    this.#wayOut = new WayOut(exploring.kinds);
  }

  run(): Explored {
    const { depth: limit = Infinity, log } = this.#exploring;
    const start: Place = { memory: nothing(), tags: Object.fromEntries(this.#tags.map((tag) => [tag, absent])) };
    this.#places.set(this.#keyOf(start), start.memory);
    let frontier: readonly Place[] = [start];
    let depth = 0;
    for (; frontier.length > 0 && depth < limit; depth++) {
      frontier = frontier.flatMap((place) => this.#from(place));
      log?.(`  depth ${depth + 1}: ${this.#places.size} places, ${this.#transitions} transitions`);
    }
    return {
      places: this.#places.size,
      transitions: this.#transitions,
      depth,
      isExhausted: frontier.length === 0,
      edges: this.#edges,
    };
  }

  /** Places that were not known before. */
  #from(place: Place): readonly Place[] {
    const found: Place[] = [];
    for (const { inputs, tags } of this.#moves(place)) {
      const { memory } = this.#pass(place.memory, inputs);
      const next = { memory, tags };
      const key = this.#keyOf(next);
      const known = this.#places.get(key);
      if (this.#transitions % SAMPLE_EVERY === 0) this.#checkFaithful(place.memory, inputs, { found: next, known });
      if (known) continue;
      this.#places.set(key, memory);
      this.#wayOut.check(memory);
      found.push(next);
    }
    return found;
  }

  #pass(memory: Memory, inputs: Inputs): ReturnType<typeof pass> {
    this.#transitions++;
    const passed = pass(memory, inputs, this.#exploring.kinds);
    for (const edge of edgesOf(memory, passed.memory)) this.#edges.add(edge);
    return passed;
  }

  *#moves({ memory, tags }: Place): Iterable<{ inputs: Inputs; tags: Inputs["tags"] }> {
    if (!this.#exploring.isTogether) return yield* this.#oneByOne({ memory, tags });
    const combinations = this.#tags.reduce<readonly Inputs["tags"][]>(
      (partial, tag) => {
        const options = tagInputs(memory, tag, this.#kindOf(tag));
        return partial.flatMap((chosen) => options.map((option) => ({ ...chosen, [tag]: option })));
      },
      [{}],
    );
    for (const around of arounds(memory)) {
      for (const combination of combinations) yield { inputs: { tags: combination, around }, tags };
    }
  }

  *#oneByOne({ memory, tags }: Place): Iterable<{ inputs: Inputs; tags: Inputs["tags"] }> {
    for (const around of arounds(memory)) yield { inputs: { tags, around }, tags };
    for (const tag of this.#tags) {
      for (const option of [absent, ...presentInputs(memory, tag, this.#kindOf(tag))]) {
        const changed = { ...tags, [tag]: option };
        yield { inputs: { tags: changed, around: "quiet" }, tags: changed };
      }
      for (const clock of runningClocks(memory, tag)) {
        const inputs = { ...absent, ...tags[tag] };
        const disturbed = { ...tags, [tag]: { ...inputs, [clock]: !inputs[clock] } };
        yield { inputs: { tags: disturbed, around: "quiet" }, tags };
      }
    }
  }

  #kindOf(tag: string): Kinds[string] {
    return this.#exploring.kinds[tag] ?? "datadog";
  }

  #keyOf({ memory, tags }: Place): string {
    const key = keyOf(memory, this.#tags);
    return this.#exploring.isTogether ? key : `${key} ${this.#tags.map((tag) => peoplesPart(tags[tag])).join(" ")}`;
  }

  /** What is held to be the same does the same: clocks that do not run, and places with one key. */
  #checkFaithful(from: Memory, inputs: Inputs, { found, known }: { found: Place; known: Memory | undefined }): void {
    const turned = Object.fromEntries(
      Object.entries(inputs.tags).map(([tag, option]) => [tag, withIdleClocksTurned(from, tag, option)]),
    );
    const again = pass(from, { ...inputs, tags: turned }, this.#exploring.kinds).memory;
    this.#holdSame(found.memory, again, () => ({ inputs, turned }));
    if (!known) return;
    const next = (memory: Memory): Memory => pass(memory, inputs, this.#exploring.kinds).memory;
    this.#holdSame(next(found.memory), next(known), () => ({ from: found.memory.status, to: known.status, inputs }));
  }

  #holdSame(one: Memory, other: Memory, details: () => unknown): void {
    if (keyOf(one, this.#tags) === keyOf(other, this.#tags)) return;
    throw new BrokenRule(`the abstraction hides a difference: ${JSON.stringify(details())}`);
  }
}

function peoplesPart(inputs: TagInputs = absent): string {
  const { revision, test, isEligible, isExpired } = inputs;
  return [revision, test, isEligible, isExpired].join("");
}

/** Which state each tag left for which; an entry that is dropped was deleted. */
function edgesOf(before: Memory, after: Memory): readonly string[] {
  const states = new Map((after.status.revisions ?? []).map(({ tag, state }) => [tag, state.current]));
  return (before.status.revisions ?? []).flatMap(({ tag, state }) => {
    const to = states.get(tag) ?? (states.size > 0 ? "deleted" : state.current);
    return to === state.current ? [] : [`${state.current} → ${to}`];
  });
}

const WAY_OUT_PASSES = 40;
const OTHERS: readonly TagInputs[] = [good, { ...good, revision: "failed" }, absent];

/** From every place, whatever becomes of the others, one more good revision gets all of the traffic. */
class WayOut {
  readonly #kinds: Kinds;
  readonly #tags: readonly string[];
  readonly #newest: string;
  readonly #good = new Set<string>();

  constructor(kinds: Kinds) {
    this.#newest = `v${Object.keys(kinds).length + 1}`;
    this.#kinds = { ...kinds, [this.#newest]: "datadog" };
    this.#tags = Object.keys(this.#kinds);
  }

  check(memory: Memory): void {
    OTHERS.forEach((others, index) => {
      const tags = { ...Object.fromEntries(this.#tags.map((tag) => [tag, others])), [this.#newest]: good };
      this.#follow(memory, { tags, around: "quiet" }, index);
    });
  }

  #follow(from: Memory, inputs: Inputs, variant: number): void {
    const way: string[] = [];
    let memory = from;
    for (let count = 0; count < WAY_OUT_PASSES; count++) {
      const key = `${variant} ${keyOf(memory, this.#tags)}`;
      way.push(key);
      if (this.#good.has(key) || memory.live.weights[this.#newest] === 100) {
        for (const passed of way) this.#good.add(passed);
        return;
      }
      memory = pass(memory, inputs, this.#kinds).memory;
    }
    const others = inputs.tags[this.#tags[0] ?? ""]?.revision;
    throw new BrokenRule(`a dead end while the others are ${others}: ${way[0]} leads to ${way.at(-1)}`);
  }
}

/** What was met, against what the state table has. */
export function modelOf(edges: ReadonlySet<string>): {
  readonly unmet: readonly string[];
  readonly unknown: readonly string[];
  readonly unreached: readonly string[];
} {
  const table = new Set(exploreTable().map(({ from, to }) => `${from} → ${to}`));
  const met = new Set([...edges].flatMap((edge) => edge.split(" → ")));
  return {
    unmet: [...table].filter((edge) => !edges.has(edge)),
    unknown: [...edges].filter((edge) => !table.has(edge)),
    unreached: states.filter((state) => !met.has(state)),
  };
}
