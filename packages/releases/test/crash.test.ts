// The operator dies after every single write of the story, each write point once, and another one takes over.
import { afterAll, beforeAll, expect, test } from "vitest";
import { EmbeddedScene } from "./stage/embedded-scene.ts";
import type { FleetStage } from "./stage/fleet-stage.ts";
import { MortalOperator } from "./stage/mortal-operator.ts";
import { contentsOf } from "./stage/placed.ts";
import { FleetRecorder } from "./stage/recorder.ts";
import { ACTS } from "./stage/story.ts";

type Act = keyof typeof ACTS;
type Contents = Readonly<Record<string, string>>;

interface Story {
  /** Of each act, up to the death if there was one. */
  readonly writes: Readonly<Record<string, readonly string[]>>;
  /** What there was on the clusters when the act was over. */
  readonly ends: Readonly<Record<string, Contents>>;
  readonly broken: readonly string[];
}

const ALL = Object.keys(ACTS) as readonly Act[];
const NEVER = Number.POSITIVE_INFINITY;
const REST_MS = 10_000;
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 1_000;

let scene: EmbeddedScene;
let undisturbed: Story;

beforeAll(async () => {
  scene = await EmbeddedScene.open();
  undisturbed = await tell(ALL, NEVER, async (stage) => {
    await stage.pass(REST_MS);
    return contentsOf(stage);
  });
}, 60_000);
afterAll(() => scene.close());

/** The operator dies once in each act, after so many of the act's writes. */
async function tell(
  acts: readonly Act[],
  dyingAfter: number,
  rest: (stage: FleetStage, act: Act) => Promise<Contents>,
): Promise<Story> {
  const operator = new MortalOperator(scene);
  await operator.start();
  const stage = scene.fleet.stage();
  const recorder = new FleetRecorder(scene.fleet.targets, scene.fleet);
  await recorder.ready();
  const writes: Record<string, readonly string[]> = {};
  const ends: Record<string, Contents> = {};
  for (const act of acts) {
    const fate = operator.dieAfter(dyingAfter);
    await ACTS[act]({ stage, recorder });
    await stage.until("there is an operator", async () => operator.isAlive);
    ends[act] = await rest(stage, act);
    writes[act] = [...fate.writes];
  }
  operator.dieAfter(NEVER);
  await stage.leave();
  await scene.stopOperators();
  return { writes, ends, broken: recorder.broken(stage.place, scene.drainMs) };
}

/** It may take longer than undisturbed, but it gets there. */
async function asUndisturbed(stage: FleetStage, act: Act): Promise<Contents> {
  const wanted = JSON.stringify(undisturbed.ends[act]);
  let now = await contentsOf(stage);
  for (let ms = 0; ms < PATIENCE_MS && JSON.stringify(now) !== wanted; ms += LOOK_EVERY_MS) {
    await stage.pass(LOOK_EVERY_MS);
    now = await contentsOf(stage);
  }
  return now;
}

function writesOf(act: Act): readonly string[] {
  return undisturbed.writes[act] ?? [];
}

test("no rule is broken without a crash", () => {
  expect(undisturbed.broken).toEqual([]);
});

test("a crash after any write leads to the same end, and no rule is broken on the way", async () => {
  const longest = Math.max(...ALL.map((act) => writesOf(act).length));
  expect(ALL.flatMap(writesOf).length).toBeGreaterThan(150);
  const deaths: Record<string, string[]> = {};
  for (let nth = 1; nth <= longest; nth++) {
    // What comes behind the last act with so many writes shows nothing new.
    const last = ALL.findLastIndex((act) => writesOf(act).length >= nth);
    const acts = ALL.filter((act, index) => index <= last || act === "end");
    const { writes, ends, broken } = await tell(acts, nth, asUndisturbed);
    expect(broken, `a death after ${nth} writes of each act`).toEqual([]);
    for (const act of acts) {
      const [death] = writes[act]?.slice(nth - 1) ?? [];
      if (death !== undefined) (deaths[act] ??= []).push(death);
      expect(ends[act], `${act}, with a death after ${death}`).toEqual(undisturbed.ends[act]);
    }
  }
  // Whatever is written was once the last thing that an operator wrote.
  for (const act of ALL) expect(new Set(deaths[act])).toEqual(new Set(writesOf(act)));
}, 1_800_000);
