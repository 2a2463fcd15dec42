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
// - Datadog's canary stands for the other one where no test is wanted: rules treat the two alike.
// Prefixes of writes, lagging caches, several clusters, real numbers and lost status are the histories' part.
//
// With `together`, a pass meets every combination of inputs. Without, at most one thing is out of order in a pass, and
// what people have done stays until they do something else; the place then includes it. Combinations that a decision
// can't tell apart are decided once (model-cone.ts).
import { seededRandom } from "@chaski/clock";
import { states } from "../src/engine/index.ts";
import { Cone, type Frame } from "./model-cone.ts";
import {
  absent,
  arounds,
  type Inputs,
  type Kind,
  presentInputs,
  runningClocks,
  type TagInputs,
  tagInputs,
  withIdleClocksTurned,
} from "./model-inputs.ts";
import { keyOf, type Memory, nothing } from "./model-memory.ts";
import type { Kinds } from "./model-pass.ts";
import { WayOut } from "./model-way-out.ts";
import { BrokenRule } from "./rules.ts";
import { explore as exploreTable } from "./state-graph.ts";

export interface Exploring {
  /** By tag, oldest first. */
  readonly kinds: Kinds;
  readonly isTogether: boolean;
  readonly depth?: number;
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
  { kinds: revisions(BOTH, BOTH), isTogether: true },
];

export const THREE: Exploring = { kinds: revisions("datadog", "datadog", BOTH), isTogether: false };

export interface Explored {
  readonly places: number;
  /** Combinations of a place and inputs. */
  readonly transitions: number;
  /** How many of them had to be decided, to find places and ways out. */
  readonly decisions: number;
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

/** So many combinations are followed by one that is decided by itself. */
const SAMPLE_EVERY = 397;

/** Breadth first, each place once; to the depth given, or until nothing new is found. */
export function explore(exploring: Exploring, log: (line: string) => void = () => {}): Explored {
  return new Exploration(exploring).run(log);
}

class Exploration {
  readonly #exploring: Exploring;
  readonly #tags: readonly string[];
  readonly #places = new Map<Memory, Set<string>>();
  readonly #edges = new Set<string>();
  readonly #random = seededRandom(1);
  readonly #cone: Cone;
  readonly #wayOut: WayOut;
  #placeCount = 0;
  #transitions = 0;
  #unsampled = 0;

  constructor(exploring: Exploring) {
    this.#exploring = exploring;
    this.#tags = Object.keys(exploring.kinds);
    this.#cone = new Cone(exploring.kinds);
    this.#wayOut = new WayOut(exploring.kinds);
  }

  run(log: (line: string) => void): Explored {
    const { depth: limit = Infinity } = this.#exploring;
    const start: Place = {
      memory: this.#cone.known(nothing()),
      tags: Object.fromEntries(this.#tags.map((tag) => [tag, absent])),
    };
    this.#isNew(start);
    let frontier: readonly Place[] = [start];
    let depth = 0;
    for (; frontier.length > 0 && depth < limit; depth++) {
      frontier = frontier.flatMap((place) => this.#from(place));
      log(
        `  depth ${depth + 1}: ${this.#placeCount} places, ${this.#transitions} transitions, ${this.#decisions()} decisions`,
      );
    }
    return {
      places: this.#placeCount,
      transitions: this.#transitions,
      decisions: this.#decisions(),
      depth,
      isExhausted: frontier.length === 0,
      edges: this.#edges,
    };
  }

  #decisions(): number {
    return this.#cone.decisions + this.#wayOut.decisions;
  }

  /** Places that were not known before. */
  #from(place: Place): readonly Place[] {
    const found: Place[] = [];
    for (const next of this.#exploring.isTogether ? this.#together(place) : this.#oneByOne(place)) {
      this.#addEdges(place.memory, next.memory);
      if (!this.#isNew(next)) continue;
      this.#wayOut.check(next.memory);
      found.push(next);
    }
    return found;
  }

  #isNew({ memory, tags }: Place): boolean {
    const known = this.#places.get(memory) ?? new Set<string>();
    const people = this.#exploring.isTogether ? "" : this.#tags.map((tag) => peoplesPart(tags[tag])).join(" ");
    if (known.has(people)) return false;
    this.#places.set(memory, known.add(people));
    this.#placeCount++;
    return true;
  }

  *#together({ memory, tags }: Place): Iterable<Place> {
    for (const around of arounds(memory)) {
      const frame = this.#cone.frame(memory, around);
      const { nexts, count } = this.#cone.everyPass(frame);
      for (const next of nexts) yield { memory: next, tags };
      this.#count(count, () => this.#checkSample(frame, this.#drawn(memory)));
    }
  }

  #drawn(memory: Memory): Inputs["tags"] {
    const draw = (tag: string): TagInputs => {
      const options = tagInputs(memory, tag, this.#kindOf(tag));
      return options[Math.floor(this.#random() * options.length)] ?? absent;
    };
    return Object.fromEntries(this.#tags.map((tag) => [tag, draw(tag)]));
  }

  #count(count: number, sample: () => void): void {
    this.#transitions += count;
    this.#unsampled += count;
    for (; this.#unsampled >= SAMPLE_EVERY; this.#unsampled -= SAMPLE_EVERY) sample();
  }

  *#oneByOne({ memory, tags }: Place): Iterable<Place> {
    for (const around of arounds(memory)) yield this.#single(memory, { tags, around }, tags);
    for (const tag of this.#tags) {
      for (const option of [absent, ...presentInputs(memory, tag, this.#kindOf(tag))]) {
        const changed = { ...tags, [tag]: option };
        yield this.#single(memory, { tags: changed, around: "quiet" }, changed);
      }
      for (const clock of runningClocks(memory, tag)) {
        const inputs = { ...absent, ...tags[tag] };
        const disturbed = { ...tags, [tag]: { ...inputs, [clock]: !inputs[clock] } };
        yield this.#single(memory, { tags: disturbed, around: "quiet" }, tags);
      }
    }
  }

  #single(memory: Memory, { tags, around }: Inputs, people: Inputs["tags"]): Place {
    const frame = this.#cone.frame(memory, around);
    const next = this.#cone.pass(frame, tags);
    this.#count(1, () => this.#checkSample(frame, tags));
    return { memory: next, tags: people };
  }

  #kindOf(tag: string): Kinds[string] {
    return this.#exploring.kinds[tag] ?? "datadog";
  }

  /** The decision on these very inputs, with clocks that do not run turned, is the one that stands for it. */
  #checkSample(frame: Frame, tags: Inputs["tags"]): void {
    const turned = Object.fromEntries(
      Object.entries(tags).map(([tag, inputs]) => [tag, withIdleClocksTurned(frame.memory, tag, inputs)]),
    );
    const own = keyOf(this.#cone.decide(frame.memory, { tags: turned, around: frame.around }), this.#tags);
    const standing = keyOf(this.#cone.pass(frame, tags), this.#tags);
    if (own === standing) return;
    const from = keyOf(frame.memory, this.#tags);
    throw new BrokenRule(`the abstraction hides a difference: ${JSON.stringify({ from, turned, own, standing })}`);
  }

  /** Which state each tag left for which; an entry that is new was created, one that is dropped was deleted. */
  #addEdges(before: Memory, after: Memory): void {
    const [from, to] = [statesIn(before), statesIn(after)];
    for (const tag of new Set([...from.keys(), ...to.keys()])) {
      const left = from.get(tag) ?? "created";
      const reached = to.get(tag) ?? (to.size > 0 ? "deleted" : left);
      if (reached !== left) this.#edges.add(`${left} → ${reached}`);
    }
  }
}

function statesIn({ status }: Memory): ReadonlyMap<string, string> {
  return new Map((status.revisions ?? []).map(({ tag, state }) => [tag, state.current]));
}

function peoplesPart(inputs: TagInputs = absent): string {
  const { revision, test, isEligible, isExpired } = inputs;
  return [revision, test, isEligible, isExpired].join("");
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
