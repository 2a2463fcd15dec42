// The state machine, explored with every combination of the facts that its rules look at. The graph that comes out is
// a page of the documentation.
import { type Facts, type State, states, stateTable, step } from "../src/engine/index.ts";

export interface Edge {
  readonly from: State;
  readonly to: State;
  readonly because: string;
}

const TESTS = ["disabled", "pending", "started", "succeeded", "failed", "unknown"] as const;

/** All edges that any facts lead along, with the reason for each. */
export function explore(): readonly Edge[] {
  const edges = states.flatMap((from) =>
    factsThatMatter(from).flatMap((facts): readonly Edge[] => {
      const { to, because } = step(from, facts);
      return to === from || because === undefined ? [] : [{ from, to, because }];
    }),
  );
  return [...new Map(edges.map((edge) => [JSON.stringify(edge), edge])).values()];
}

/** Every value of every fact that a rule of the state reads; which ones those are shows by reading. */
function factsThatMatter(state: State): readonly Facts[] {
  let names = new Set<string>();
  for (;;) {
    const read = new Set(names);
    const combinations = allOf([...names]);
    for (const facts of combinations) readAll(state, facts, read);
    if (read.size === names.size) return combinations;
    names = read;
  }
}

function allOf(names: readonly string[]): readonly Facts[] {
  return names
    .reduce<readonly object[]>(
      (partial, name) => partial.flatMap((facts) => valuesOf(name).map((value) => ({ ...facts, [name]: value }))),
      [{}],
    )
    .map((facts) => facts as Facts);
}

function valuesOf(name: string): readonly unknown[] {
  return name === "test" ? TESTS : [false, true];
}

function readAll(state: State, facts: Facts, read: Set<string>): void {
  const watched = new Proxy(facts, {
    get(target, name) {
      read.add(String(name));
      return Reflect.get(target, name);
    },
  });
  for (const { when } of stateTable[state].rules) when(watched);
}

export function reachable(edges: readonly Edge[], from: State = "created"): ReadonlySet<State> {
  const seen = new Set<State>([from]);
  for (const state of seen) for (const edge of edges) if (edge.from === state) seen.add(edge.to);
  return seen;
}

/** The page: a diagram and, under it, why each step is taken. */
export function renderGraph(edges: readonly Edge[]): string {
  const rank = ({ from, to }: Edge): number => states.indexOf(from) * states.length + states.indexOf(to);
  const sorted = edges.toSorted((a, b) => rank(a) - rank(b));
  return [
    "# The states of a revision",
    "",
    "Generated from the state table by `npm run generate:states`; a test holds the page against the table.",
    "",
    "```mermaid",
    "stateDiagram-v2",
    "    [*] --> created",
    ...new Set(sorted.map(({ from, to }) => `    ${from} --> ${to}`)),
    "    deleted --> [*]",
    "```",
    "",
    "| From | To | Because |",
    "|---|---|---|",
    ...sorted.map(({ from, to, because }) => `| ${from} | ${to} | ${because} |`),
    "",
  ].join("\n");
}
