// All releases, a row each.
import { clipText, type Frame, type Line, line, type Span, span, type Style, wrap } from "./line.ts";
import { whenText } from "./gates.ts";
import { type Release, type Standing, trafficText } from "./release.ts";
import { type Column, drawTable } from "./table.ts";
import { age } from "./times.ts";

export const STYLES: Readonly<Record<Standing["type"], Style>> = {
  new: "dim",
  paused: "yellow",
  released: "green",
  "rolling back": "red",
  "rolled back": "red",
  stalled: "red",
  waiting: "yellow",
};

export function drawList(releases: readonly Release[], frame: Frame): readonly Line[] {
  const namespaces = new Set(releases.map(({ namespace }) => namespace));
  const columns = columnsFor(releases, frame);
  return drawTable(releases, namespaces.size > 1 ? [NAMESPACE, ...columns] : columns, frame.columns);
}

const NAMESPACE: Column<Release> = { heading: "NAMESPACE", rank: 5, cell: ({ namespace }) => span(namespace) };

/** Columns below which a target that all have is not told, and below which there is no room for sentences. */
const SPACIOUS = 100;
const NARROW = 60;

function columnsFor(releases: readonly Release[], frame: Frame): readonly Column<Release>[] {
  return [
    ...nameColumns(releases, frame),
    { heading: "NEWEST", rank: 4, cell: ({ revisions: [newest] }) => span(newest?.tag ?? "–") },
    {
      heading: "STATE",
      rank: 2,
      cell: ({ revisions: [newest], standing }) =>
        span(stateText(newest?.state.current, standing), STYLES[standing.type]),
    },
    frame.columns < SPACIOUS
      ? { heading: "%", rank: 3, cell: ({ revisions: [newest] }) => span(String(newest?.currentPercent ?? "–")) }
      : { heading: "TRAFFIC", rank: 3, cell: (release) => span(trafficText(release)) },
    waitColumn(frame),
    { heading: "AGE", rank: 6, cell: ({ createdAt }) => span(age(createdAt, frame), "dim") },
  ];
}

function nameColumns(releases: readonly Release[], { columns }: Frame): readonly Column<Release>[] {
  const app = ({ name }: Release): string => name.slice(0, name.indexOf("/"));
  const target = ({ name }: Release): string => name.slice(name.indexOf("/") + 1);
  const hasOneTarget = new Set(releases.map(target)).size === 1;
  const bold = (text: string, least: number): Span =>
    span(clipText(text, Math.max(least, Math.floor(columns * 0.3))), "bold");
  if (columns < SPACIOUS && hasOneTarget)
    return [{ heading: "APP", rank: 0, cell: (release) => bold(app(release), 13) }];
  if (columns < NARROW) return [{ heading: "APP/TARGET", rank: 0, cell: ({ name }) => bold(name, 20) }];
  return [
    { heading: "APP", rank: 0, cell: (release) => bold(app(release), 20) },
    { heading: "TARGET", rank: 1, cell: (release) => span(target(release)) },
  ];
}

/** The sentence; where it would be a stump, the gate's name. */
function waitColumn(frame: Frame): Column<Release> {
  return frame.columns < NARROW
    ? { heading: "WAITS FOR", rank: 2.5, cell: ({ standing }) => span(clipText(waitName(standing), 13)) }
    : { heading: "WAITS FOR", rank: 3.5, isElastic: true, cell: ({ standing }) => span(waitText(standing, frame)) };
}

function stateText(state: string | undefined, { type }: Standing): string {
  return type === "rolling back" || type === "stalled" ? type : (state ?? "new");
}

function waitText({ type, message, gate }: Standing, frame: Frame): string {
  if (type === "released") return "–";
  return type === "paused" ? `paused: ${gate?.message}` : `${message}${whenText(gate, frame)}`;
}

function waitName({ type, message, gate }: Standing): string {
  return type === "released" ? "–" : (gate?.name ?? message);
}

/** How to begin, or where to look. */
export function drawNothing(namespace: string, elsewhere: readonly string[], { columns }: Frame): readonly Line[] {
  const [first] = elsewhere;
  const sentences =
    first === undefined
      ? [
          "There are no releases here yet.",
          "A release begins with a Revision: `kubectl apply -f revision.yaml`; `chaski lint -f` checks it first.",
          "To try it without a cluster: `chaski up`.",
        ]
      : [
          `There are no releases in namespace ${namespace}.`,
          `There are some in ${elsewhere.slice(0, 5).join(", ")}: add -n ${first}, or -A for all.`,
        ];
  return sentences.flatMap((sentence) => wrap(sentence, columns)).map((text) => line(text));
}

/** What moves or is stuck first; then by name. */
export function byUrgency(a: Release, b: Release): number {
  const rank = ({ standing: { type } }: Release): number => ORDER.indexOf(type);
  return rank(a) - rank(b) || byName(a, b);
}

type Named = Pick<Release, "name">;

const collator = new Intl.Collator("en", { numeric: true });

/** As people count: shop-7 before shop-14. */
export function byName(a: Named, b: Named): number {
  return collator.compare(a.name.replace("/", " "), b.name.replace("/", " "));
}

const ORDER: readonly Standing["type"][] = [
  "rolling back",
  "stalled",
  "rolled back",
  "waiting",
  "paused",
  "new",
  "released",
];
