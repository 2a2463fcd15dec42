// What a decision reads of its inputs, so that inputs which it can't tell apart are decided once.
//
// A pass has two halves. In the first, each incarnation takes its step by its own facts: of the other tags it reads only
// what is remembered of them, whether they serve, so a tag's inputs can be looked at one tag at a time. The second half
// (traffic, sizes, routes) sees of a tag where it stepped and what is listed in `readingOf`: not the state that it came
// from, nor why it left. So a decision is known by what is live, by the reading of each tag, and by whether something
// holds it; all of that is told by the engine's own functions, not by a second account of its rules.
//
// That nothing else is read is not only argued: for a sample of all combinations, drawn from every place, the real
// decision on the very inputs is held against the one that stands for it.
import { isDrainedOn } from "../src/engine/draining.ts";
import { fleetOf } from "../src/engine/fleet.ts";
import { factsOf, isPromoted } from "../src/engine/facts.ts";
import { sceneOf } from "../src/engine/decide-pass.ts";
import { holdsOf } from "../src/engine/hold.ts";
import type { Incarnation } from "../src/engine/incarnation.ts";
import { isFailed } from "../src/engine/rollback.ts";
import { step } from "../src/engine/state-table.ts";
import { isInDeployedSet, isLeaving, isParked, isReleasing, type State } from "../src/engine/states.ts";
import { recommission } from "../src/engine/transition.ts";
import { absent, type Around, good, type Inputs, type TagInputs, tagInputs } from "./model-inputs.ts";
import { entryOf, isReadAgain, type Memory, keyOf, keyOfEntry, keyOfLive } from "./model-memory.ts";
import { type Kinds, pass, worldOf } from "./model-pass.ts";
import { BrokenRule, hasArrived } from "./rules.ts";

/** Inputs of one tag that a decision can't tell apart. */
export interface Alike {
  readonly reading: string;
  /** The one that is decided on. */
  readonly inputs: TagInputs;
  readonly count: number;
}

const SAMPLE_EVERY = 97;

/** A place under one circumstance. */
export interface Frame {
  readonly memory: Memory;
  readonly around: Around;
  readonly key: string;
  /** By tag, what its reading depends on besides its inputs. */
  readonly locals: readonly string[];
}

export class Cone {
  readonly #kinds: Kinds;
  readonly #tags: readonly string[];
  readonly #readings = new Map<string, string>();
  readonly #alikes = new Map<string, readonly Alike[]>();
  readonly #ids = new Map<string, number>();
  readonly #decided = new Map<string, Memory>();
  readonly #memories = new Map<string, Memory>();
  decisions = 0;

  constructor(kinds: Kinds) {
    this.#kinds = kinds;
    this.#tags = Object.keys(kinds);
  }

  frame(memory: Memory, around: Around): Frame {
    const locals = this.#tags.map((tag) => this.#localOf(memory, around, tag));
    const saved = (memory.status.revisions ?? []).map(({ tag, currentPercent }) => `${tag} ${currentPercent}`);
    const parts = [keyOfLive(memory.live, this.#tags), saved, seatsOf(memory), memory.status.orphanedSince ? "o" : ""];
    return { memory, around, key: this.#idOf([...parts, this.#holdOf(memory, around)].join("|")), locals };
  }

  /** Every kind of inputs that the tag may have here. */
  #alikesOf({ memory, around, locals }: Frame, index: number): readonly Alike[] {
    const local = locals[index] ?? "";
    const known = this.#alikes.get(local);
    if (known) return known;
    const tag = this.#tags[index] ?? "";
    const groups = Map.groupBy(tagInputs(memory, tag, this.#kinds[tag] ?? "datadog"), (inputs) =>
      this.#readingOf(memory, around, index, inputs),
    );
    // The drain counts as not over where that is not read: so the rules about it are as strict as they can be.
    const alikes = [...groups].map(([reading, members]) => ({
      reading,
      inputs: members.find(({ isDrained }) => !isDrained) ?? members[0] ?? absent,
      count: members.length,
    }));
    this.#alikes.set(local, alikes);
    return alikes;
  }

  /** Where any inputs of all tags lead. */
  everyPass(frame: Frame): { readonly nexts: ReadonlySet<Memory>; readonly count: number } {
    const nexts = new Set<Memory>();
    let count = 0;
    for (const combination of product(this.#tags.map((_, index) => this.#alikesOf(frame, index)))) {
      count += combination.reduce((times, alike) => times * alike.count, 1);
      const readings = combination.map(({ reading }) => reading);
      nexts.add(this.next(frame, readings, () => this.#tagsOf(combination)));
    }
    return { nexts, count };
  }

  #tagsOf(combination: readonly Alike[]): Inputs["tags"] {
    return Object.fromEntries(this.#tags.map((tag, index) => [tag, combination[index]?.inputs ?? absent]));
  }

  /** One pass, decided once for all inputs that read the same. */
  pass(frame: Frame, tags: Inputs["tags"]): Memory {
    const readings = this.#tags.map((tag, index) => this.reading(frame, index, tags[tag] ?? absent));
    return this.next(frame, readings, () => tags);
  }

  next({ memory, around, key }: Frame, readings: readonly string[], tags: () => Inputs["tags"]): Memory {
    const isOrphan = readings.every((reading) => reading.startsWith("absent"));
    const whole = isOrphan ? this.#idOf(`${keyOf(memory, this.#tags)} ${around}`) : `${key} ${readings.join(" ")}`;
    const known = this.#decided.get(whole);
    if (known) return known;
    const decided = this.decide(memory, { tags: tags(), around });
    this.#decided.set(whole, decided);
    return decided;
  }

  /** The same memory always is the same value. */
  known(memory: Memory): Memory {
    const key = keyOf(memory, this.#tags);
    const known = this.#memories.get(key) ?? memory;
    this.#memories.set(key, known);
    return known;
  }

  decide(memory: Memory, inputs: Inputs): Memory {
    this.decisions++;
    const made = pass(memory, inputs, this.#kinds).memory;
    const known = this.known(made);
    if (known !== made && this.decisions % SAMPLE_EVERY === 0) this.#checkSame(made, known, inputs);
    return known;
  }

  /** What has one key goes on alike. */
  #checkSame(one: Memory, other: Memory, inputs: Inputs): void {
    const [a, b] = [one, other].map((memory) => keyOf(pass(memory, inputs, this.#kinds).memory, this.#tags));
    if (a !== b) throw new BrokenRule(`one key, two ways: ${JSON.stringify({ one, other, inputs })}`);
  }

  reading({ memory, around, locals }: Frame, index: number, inputs: TagInputs): string {
    const key = `${locals[index]} ${keyOfInputs(inputs)}`;
    const known = this.#readings.get(key) ?? this.#readingOf(memory, around, index, inputs);
    this.#readings.set(key, known);
    return known;
  }

  #localOf(memory: Memory, around: Around, tag: string): string {
    const others = (memory.status.revisions ?? []).filter((entry) => entry.tag !== tag);
    const serving = others.filter(({ currentPercent }) => currentPercent > 0);
    const isRivalled = serving.some(({ state }) => !isLeaving(state.current as State));
    const mayRoute = !memory.live.hasRoute && others.some(({ state }) => isActive(state.current as State));
    const parts = [
      tag,
      keyOfEntry(entryOf(memory, tag)),
      keyOfLive(memory.live, [tag]),
      isRivalled,
      serving.length > 0,
      mayRoute,
      aroundOf(around, tag),
    ];
    return this.#idOf(parts.join("|"));
  }

  /** Before there is any route, whether there may be one depends on the others: then both cases are read. */
  #readingOf(memory: Memory, around: Around, index: number, inputs: TagInputs): string {
    const tag = this.#tags[index] ?? "";
    const readings = (memory.live.hasRoute ? [good] : [good, absent]).map((others) => {
      const tags = Object.fromEntries(this.#tags.map((other) => [other, other === tag ? inputs : others]));
      const scene = sceneIn(memory, { tags, around: aroundOf(around, tag) }, this.#kinds);
      const incarnation = scene.around.incarnations.find((candidate) => candidate.tag === tag);
      return incarnation ? readingOf(incarnation, scene, inputs) : "";
    });
    return (inputs.revision === "absent" ? "absent" : "") + this.#idOf(readings.join("; "));
  }

  /** Whom something holds, and whether something must hold everybody; what that is makes no difference. */
  #holdOf(memory: Memory, around: Around): string {
    const { status, live } = memory;
    const entries = status.revisions ?? [];
    const splits = entries.map(
      ({ tag, currentPercent, state }) => `${tag} ${currentPercent} ${isLeaving(state.current as State)}`,
    );
    const key = ["hold", around, splits, keyOfLive(live, this.#tags)].join("|");
    const known = this.#readings.get(key);
    if (known !== undefined) return known;
    const scene = sceneIn(
      memory,
      { tags: Object.fromEntries(this.#tags.map((tag) => [tag, good])), around },
      this.#kinds,
    );
    const held = scene.around.incarnations
      .filter((one) => holdsOf(one, scene.holding).length > 0)
      .map(({ tag }) => tag);
    const isUnreachable = around === "cluster unreachable";
    const mustHold =
      isUnreachable ||
      around === "paused" ||
      around === "evidence unknown" ||
      !hasArrived(live.hasRoute ? [{ route: live }] : [{}], entries);
    const hold = [held.toSorted(), isUnreachable, mustHold].join(" ");
    this.#readings.set(key, hold);
    return hold;
  }

  /** Short names for long texts. */
  #idOf(text: string): string {
    const id = this.#ids.get(text) ?? this.#ids.size;
    this.#ids.set(text, id);
    return id.toString(36);
  }
}

function product<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists.reduce<readonly (readonly T[])[]>(
    (partial, list) => partial.flatMap((chosen) => list.map((item) => [...chosen, item])),
    [[]],
  );
}

type Scene = ReturnType<typeof sceneOf>;

function sceneIn(memory: Memory, inputs: Inputs, kinds: Kinds): Scene {
  const world = worldOf(memory, inputs, kinds);
  return sceneOf(world, fleetOf(world));
}

/** What one tag's step can see of what happens around it. */
function aroundOf(around: Around, tag: string): Around {
  const isNothing = around === "evidence unknown" || (around.startsWith("promote ") && around !== `promote ${tag}`);
  return isNothing ? "quiet" : around;
}

/** All that the second half of a pass reads of one tag. */
function readingOf(incarnation: Incarnation, { around }: Scene, inputs: TagInputs): string {
  const { state, status, settings, tag } = incarnation;
  if (!state) throw new Error(`${tag} is in no state`);
  const { to } = step(state, factsOf(incarnation, around));
  const asTaker = isReleasing(state) ? incarnation : recommission(incarnation);
  const { to: toTaker } = step(state, { ...factsOf(asTaker, around), isTaker: true });
  const isDelayOver = inputs.isDelayOver || isPromoted(around.world, tag);
  const isDrained = around.fleet.clusters.every((cluster) => isDrainedOn(incarnation, cluster, around.drain));
  return [
    to,
    toTaker,
    isReleasing(state),
    isActive(state),
    settings !== undefined,
    isFailed(incarnation),
    status.currentPercent,
    status.peakPercent,
    isReadAgain(to) || status.releaseEligible,
    ...[status.canaryStartTimestamp, status.unrouted, status.gitTimestamp].map((value) => value !== undefined),
    (GROWS.has(to) || mayServe(incarnation, around, toTaker !== to)) && inputs.isReady,
    GROWS.has(to) && isDelayOver,
    mayLosePods(to) && isDrained,
  ].join(" ");
}

/** It has traffic, or may get it from one that fails. */
function mayServe({ tag, status }: Incarnation, { fleet, incarnations }: Scene["around"], isAble: boolean): boolean {
  const weight = fleet.live[0]?.world.route?.weights[tag] ?? 0;
  const isNeeded = isAble && incarnations.some((other) => other.tag !== tag && other.status.currentPercent > 0);
  return status.currentPercent > 0 || weight > 0 || isNeeded;
}

function isActive(state: State): boolean {
  return isInDeployedSet(state) || state === "deploying";
}

const GROWS: ReadonlySet<State> = new Set(["canarying", "canaryingdatadog", "releasing", "released"]);
const LEFT: ReadonlySet<State> = new Set(["failed", "retired", "deleted"]);

function mayLosePods(state: State): boolean {
  return isLeaving(state) || isParked(state) || LEFT.has(state);
}

/** Which of them may be the one that ramps: that is told before the step. */
function seatsOf({ status }: Memory): string {
  const seats = (status.revisions ?? []).map(({ state, currentPercent }) => {
    if (isReleasing(state.current as State)) return "r";
    return isLeaving(state.current as State) && currentPercent > 0 ? "l" : "-";
  });
  return seats.join("");
}

function keyOfInputs({ revision, test, ...flags }: TagInputs): string {
  return `${revision} ${test} ${Object.values(flags).map(Number).join("")}`;
}
