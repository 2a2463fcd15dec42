// One release: its revisions, each with its clusters, traffic, pods and gates.
import type { ClusterStanding, IncarnationStatus } from "@chaski/api/kinds";
import { bar, podDots } from "./bar.ts";
import { drawGates, drawStanding, MARKS } from "./gates.ts";
import { type Frame, type Line, line, padEnd, padStart, type Span, span, type Style, widthOf, wrap } from "./line.ts";
import type { Gate, Release } from "./release.ts";
import { age } from "./times.ts";

const RESTING_SHOWN_MAX = 5;

export function drawTree(release: Release, frame: Frame): readonly Line[] {
  const { name, fleet, standing, revisions, clusters, gates } = release;
  const active = revisions.filter((revision) => isActive(revision, release));
  const resting = revisions.filter((revision) => !isActive(revision, release));
  const layout = layoutOf(release, active, frame);
  const tags = new Set(active.map(({ tag }) => tag));
  const general = gates.filter(({ subject, verdict }) => !tags.has(subject ?? "") && verdict !== "passed");
  return [
    ...drawStanding(name, standing, frame),
    line(span(fleetText(fleet, clusters), "dim")),
    line(""),
    ...active.flatMap((revision) => drawRevision(revision, release, layout)),
    ...drawResting(resting, layout),
    ...(general.length > 0 ? [line(""), ...drawGates(general, frame)] : []),
  ];
}

function fleetText(fleet: string, clusters: readonly ClusterStanding[]): string {
  const away = clusters.filter(({ contact }) => contact !== "observed").length;
  return `fleet ${fleet}, ${clusters.length} clusters${away > 0 ? `, ${away} not seen` : ""}`;
}

/** Has traffic or pods somewhere, or is on its way. */
function isActive({ tag, currentPercent, scale, state }: IncarnationStatus, { clusters, gates }: Release): boolean {
  const runs = clusters.some(({ revisions = [] }) => revisions.some((share) => share.tag === tag));
  const isGated = gates.some(({ subject }) => subject === tag);
  return currentPercent > 0 || (scale?.Current ?? 0) > 0 || runs || isGated || !RESTING.has(state.current);
}

const RESTING: ReadonlySet<string> = new Set(["retired", "failed", "deleted"]);

interface Layout {
  readonly frame: Frame;
  readonly label: number;
  readonly state: number;
  readonly bar: number;
  readonly pods: number;
  readonly hasAge: boolean;
  readonly dots: number;
}

function layoutOf({ clusters }: Release, active: readonly IncarnationStatus[], frame: Frame): Layout {
  const { columns } = frame;
  const longest = (texts: readonly string[]): number => Math.max(0, ...texts.map(widthOf));
  const label = Math.min(
    longest([...active.map(({ tag }) => tag), ...clusters.map(({ name }) => `├ ${shortName(name)}`)]),
    Math.floor(columns * 0.3),
  );
  const away = clusters.filter(({ contact }) => contact !== "observed").map(({ contact }) => contact);
  const state = Math.min(longest([...active.map((each) => each.state.current), ...away]), columns < 60 ? 11 : 16);
  const shares = clusters.flatMap(({ revisions = [] }) => revisions);
  const pods = longest([
    ...active.map((each) => podsText(each.scale?.Current ?? 0, each.scale?.Desired ?? 0)),
    ...shares.map(({ ready, desired }) => podsText(ready, desired)),
  ]);
  const hasAge = columns >= 60;
  const dots =
    columns >= 70 ? Math.min(20, Math.max(0, ...shares.map(({ ready, desired }) => Math.max(ready, desired)))) : 0;
  const fixed = label + state + 5 + pods + 4 * GAP.length + (hasAge || dots > 0 ? Math.max(6, dots) + GAP.length : 0);
  return { frame, label, state, pods, hasAge, dots, bar: Math.min(40, Math.max(4, columns - fixed)) };
}

const GAP = " ";

function podsText(ready: number, desired: number): string {
  return `${ready}/${desired}`;
}

const STATE_STYLES: Readonly<Record<string, Style>> = {
  released: "green",
  releasing: "cyan",
  canarying: "cyan",
  canaryingdatadog: "cyan",
  failing: "red",
  failed: "red",
  timingout: "red",
};

interface Row {
  readonly label: Span;
  readonly state: Span;
  readonly percent: number;
  readonly style: Style;
  readonly ready: number;
  readonly desired: number;
  readonly tail: readonly Span[];
}

function drawRow({ label, state, percent, style, ready, desired, tail }: Row, layout: Layout): Line {
  const pods = padStart(podsText(ready, desired), layout.pods);
  return line(
    { ...label, text: padEnd(label.text, layout.label) },
    GAP,
    { ...state, text: padEnd(state.text, layout.state) },
    GAP,
    ...bar(percent, layout.bar, style),
    GAP,
    padStart(`${percent} %`, 5),
    GAP,
    ready < desired ? span(pods, "yellow") : pods,
    GAP,
    ...tail,
  );
}

function drawRevision(revision: IncarnationStatus, { clusters, gates }: Release, layout: Layout): readonly Line[] {
  const { tag, state, currentPercent, scale } = revision;
  const style = STATE_STYLES[state.current] ?? "yellow";
  const head = drawRow(
    {
      label: span(tag, "bold"),
      state: span(state.current, style),
      percent: currentPercent,
      style,
      ready: scale?.Current ?? 0,
      desired: scale?.Desired ?? 0,
      tail: layout.hasAge ? [span(age(state.lastUpdated, layout.frame), "dim")] : [],
    },
    layout,
  );
  const here = clusters.filter(({ revisions = [] }) => revisions.some((share) => share.tag === tag));
  return [
    head,
    ...here.map((cluster, index) => drawShare(cluster, { tag, style, isLast: index === here.length - 1 }, layout)),
    ...drawRevisionGates(
      gates.filter(({ subject }) => subject === tag),
      layout.frame,
    ),
  ];
}

interface Branch {
  readonly tag: string;
  readonly style: Style;
  readonly isLast: boolean;
}

function drawShare(cluster: ClusterStanding, { tag, style, isLast }: Branch, layout: Layout): Line {
  const { name, revisions = [] } = cluster;
  const { percent = 0, ready = 0, desired = 0 } = revisions.find((share) => share.tag === tag) ?? {};
  return drawRow(
    {
      label: span(`${isLast ? "└" : "├"} ${shortName(name)}`),
      state: standingOf(cluster),
      percent,
      style,
      ready,
      desired,
      tail: layout.dots > 0 ? podDots(ready, desired) : [],
    },
    layout,
  );
}

function standingOf({ contact, standby }: ClusterStanding): Span {
  if (contact !== "observed") return span(contact, "red");
  return span(standby === true ? "standby" : "", "dim");
}

/** Without the namespace, which is the release's own. */
function shortName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** What has passed in one line; what is closed in full. */
function drawRevisionGates(gates: readonly Gate[], frame: Frame): readonly Line[] {
  const passed = gates.filter(({ verdict }) => verdict === "passed").map(({ name }) => name);
  const closed = gates.filter(({ verdict }) => verdict !== "passed");
  const { mark, style } = MARKS.passed;
  const done = passed.length > 0 ? wrap(passed.join(", "), frame.columns - 4) : [];
  return [
    ...done.map((text, row) => line("  ", span(row === 0 ? mark : " ", style), " ", span(text, "dim"))),
    ...closed
      .filter((gate) => gate === firstLike(gate, closed))
      .flatMap((gate) => [...drawGates([gate], frame), ...drawOthers(gate, closed, frame)]),
  ];
}

function firstLike({ name, verdict }: Gate, gates: readonly Gate[]): Gate | undefined {
  return gates.find((other) => other.name === name && other.verdict === verdict);
}

/** The same on other clusters: their names will do. */
function drawOthers(gate: Gate, gates: readonly Gate[], { columns }: Frame): readonly Line[] {
  const others = gates.filter((other) => other !== gate && firstLike(other, gates) === gate);
  const names = others.flatMap(({ cluster }) => (cluster === undefined ? [] : shortName(cluster)));
  if (others.length === 0) return [];
  const text = `also on ${names.join(", ") || others.length}`;
  return wrap(text, columns - 4).map((part) => line("    ", span(part, "dim")));
}

function drawResting(resting: readonly IncarnationStatus[], layout: Layout): readonly Line[] {
  const shown = resting.slice(0, RESTING_SHOWN_MAX);
  const more = resting.length - shown.length;
  const widest = Math.max(0, ...shown.map(({ state }) => widthOf(state.current)));
  return [
    ...shown.map(({ tag, state }) =>
      line(
        span(padEnd(tag, layout.label), "dim"),
        GAP,
        span(padEnd(state.current, widest), state.current === "failed" ? "red" : "dim"),
        "  ",
        span(age(state.lastUpdated, layout.frame), "dim"),
      ),
    ),
    ...(more > 0 ? [line(span(`and ${more} older`, "dim"))] : []),
  ];
}
