import { seededRandom, VirtualClock } from "@chaski/clock";
import { ConfigMap, type Ref } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { type Entry, type EntryResult, keep } from "../decision/index.ts";
import { Lane } from "./lanes.ts";

const wanting = (name: string): readonly Entry[] => [keep({ kind: ConfigMap, namespace: "shop", name })];
const ref: Ref = { kind: ConfigMap, namespace: "shop", name: "web" };
const written: readonly EntryResult[] = [{ ref, outcome: "written" }];
const unchanged: readonly EntryResult[] = [{ ref, outcome: "unchanged" }];
const failed: readonly EntryResult[] = [{ ref, outcome: "failed", reason: "Timeout", message: "no answer" }];

function setUp() {
  const clock = new VirtualClock(0);
  const wakes: number[] = [];
  const told: (readonly EntryResult[])[] = [];
  const lane = new Lane({
    cluster: "east",
    clock,
    random: seededRandom(1),
    wake: () => wakes.push(clock.now()),
    onResult: ({ entries }) => told.push(entries),
  });
  return { clock, lane, wakes, told };
}

describe("a lane", () => {
  test("works on the latest decision; what came in between is never begun", async () => {
    const { clock, lane } = setUp();
    const begun: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    lane.offer(async (_memory, isSuperseded) => {
      begun.push("first");
      await promise;
      return isSuperseded() ? undefined : written;
    }, wanting("first"));
    for (const name of ["second", "third"])
      lane.offer(() => {
        begun.push(name);
        return Promise.resolve(unchanged);
      }, wanting(name));
    resolve();
    await clock.settle();
    expect(begun).toEqual(["first", "third"]);
    expect(lane.result?.entries).toBe(unchanged);
  });

  test("is not interrupted by a decision that wants the same, and works on that one afterwards", async () => {
    const { clock, lane, told } = setUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    lane.offer(async (_memory, isSuperseded) => {
      await promise;
      return isSuperseded() ? undefined : written;
    }, wanting("web"));
    lane.offer(() => Promise.resolve(unchanged), wanting("web"));
    resolve();
    await clock.settle();
    expect(told).toEqual([written, unchanged]);
  });

  test("tells every attempt, and wakes its owner when there is something new to know", async () => {
    const { clock, lane, wakes, told } = setUp();
    const attempts = [written, unchanged, failed, failed, unchanged];
    for (const entries of attempts) {
      lane.offer(() => Promise.resolve(entries), []);
      await clock.settle();
    }
    // The first result, the failure, and that it is over.
    expect(wakes).toEqual([0, 0, 0]);
    expect(told).toEqual(attempts);
  });

  test("has a failure decided anew, later and later, until it is over", async () => {
    const { clock, lane, wakes } = setUp();
    for (let failures = 0; failures < 9; failures++) {
      lane.offer(() => Promise.resolve(failed), []);
      await clock.settle();
      const before = wakes.length;
      await clock.advanceUntil(() => wakes.length > before);
    }
    const delays = wakes.slice(1).map((atMs, index) => atMs - (wakes[index] ?? 0));
    const expected = [1, 2, 4, 8, 16, 32, 60, 60, 60];
    expect(
      delays.every((ms, index) => ms >= (expected[index] ?? 0) * 500 && ms <= (expected[index] ?? 0) * 1_000),
    ).toBe(true);
    expect(delays).toHaveLength(9);
    lane.offer(() => Promise.resolve(unchanged), []);
    await clock.settle();
    const after = wakes.length;
    await clock.advance(3_600_000);
    expect(wakes).toHaveLength(after);
  });

  test("that is stopped finishes what it has begun and takes nothing more up", async () => {
    const { clock, lane, wakes } = setUp();
    const { promise, resolve } = Promise.withResolvers<readonly EntryResult[]>();
    const begun: string[] = [];
    lane.offer(() => promise, []);
    lane.offer(() => {
      begun.push("second");
      return Promise.resolve(written);
    }, []);
    const stopped = lane.stop();
    resolve(failed);
    await stopped;
    await clock.advance(3_600_000);
    expect([begun, wakes]).toEqual([[], [0]]);
  });
});
