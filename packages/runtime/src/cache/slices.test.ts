import { VirtualClock } from "@chaski/clock";
import { expect, test } from "vitest";
import { inSlices } from "./slices.ts";

test("after 10 ms of work others get their turn; the rest follows in order", async () => {
  let spentMs = 0;
  const clock = Object.assign(new VirtualClock(0), { monotonic: () => spentMs });
  const items = Array.from({ length: 35 }, (_, index) => index);
  const handled: number[] = [];
  const work = inSlices(clock, items, (item) => {
    spentMs += 1;
    handled.push(item);
  });
  expect(handled).toEqual(items.slice(0, 10));
  await work;
  expect(handled).toEqual(items);
});

test("short work is done in one go, with nothing to wait for", () => {
  const handled: string[] = [];
  expect(inSlices(new VirtualClock(0), ["a", "b"], (item) => handled.push(item))).toBeUndefined();
  expect(handled).toEqual(["a", "b"]);
});

test("what arrives in pieces within one turn shares its 10 ms", async () => {
  let spentMs = 0;
  const clock = Object.assign(new VirtualClock(0), { monotonic: () => spentMs });
  const handled: string[] = [];
  const handle = (item: string): void => {
    spentMs += 6;
    handled.push(item);
  };
  const [, last] = [["a"], ["b", "c"]].map((piece) => inSlices(clock, piece, handle));
  expect(handled).toEqual(["a", "b"]);
  await last;
  expect(handled).toEqual(["a", "b", "c"]);
});
