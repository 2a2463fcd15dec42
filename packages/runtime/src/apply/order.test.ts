import { ConfigMap, Namespace, type Ref } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { apply, type Entry, type EntryResult, keep, remove, scale } from "../decision/index.ts";
import { runInOrder } from "./order.ts";

function ref(name: string, kind: typeof ConfigMap | typeof Namespace = ConfigMap): Ref {
  return { kind, name };
}

function entry(name: string, options: { after?: readonly Ref[]; priority?: number } = {}): Entry {
  return apply(ref(name), { apiVersion: "v1", kind: "ConfigMap", metadata: { name } }, options);
}

/** Runs entries; each takes a turn of the event loop, and ends as its name says. */
async function running(
  entries: readonly Entry[],
  end: (entry: Entry) => EntryResult = ({ ref }) => ({ ref, outcome: "written" }),
): Promise<{ log: readonly string[]; results: readonly string[] | undefined }> {
  const log: string[] = [];
  const results = await runInOrder(
    entries,
    async (each) => {
      log.push(`+${each.ref.name}`);
      await Promise.resolve();
      log.push(`-${each.ref.name}`);
      return end(each);
    },
    () => false,
  );
  return { log, results: results?.map(({ ref, outcome }) => `${ref.name} ${outcome}`) };
}

const failing = ({ ref }: Entry): EntryResult =>
  ref.name.startsWith("bad")
    ? { ref, outcome: "failed", reason: "Invalid", message: "no" }
    : { ref, outcome: "written" };

describe("order", () => {
  test("entries do not wait for each other", async () => {
    expect((await running([entry("a"), entry("b")])).log).toEqual(["+a", "+b", "-a", "-b"]);
  });

  test("an entry waits for what it comes after, wherever that stands", async () => {
    const { log } = await running([entry("b", { after: [ref("a")] }), entry("a")]);
    expect(log).toEqual(["+a", "-a", "+b", "-b"]);
  });

  test("writes of lower priority value are done before others begin", async () => {
    const { log, results } = await running([entry("b"), entry("a", { priority: -1 })]);
    expect(log).toEqual(["+a", "-a", "+b", "-b"]);
    expect(results).toEqual(["b written", "a written"]);
  });

  test("what is about the same object happens in the order of the list", async () => {
    const { log } = await running([entry("a"), scale(ref("a"), 3)]);
    expect(log).toEqual(["+a", "-a", "+a", "-a"]);
  });

  test("what the decision does not speak of is not waited for", async () => {
    expect((await running([entry("a", { after: [ref("gone")] })])).results).toEqual(["a written"]);
  });
});

describe("a failure", () => {
  test("blocks what comes after it, and what comes after that, and nothing else", async () => {
    const entries = [
      entry("bad"),
      entry("b", { after: [ref("bad")] }),
      remove(ref("c"), "test", [ref("b")]),
      entry("d", { after: [ref("a")] }),
      entry("a"),
      keep(ref("k")),
    ];
    expect((await running(entries, failing)).results).toEqual([
      "bad failed",
      "b blocked",
      "c blocked",
      "d written",
      "a written",
      "k written",
    ]);
  });

  test.each([
    { outcome: "foreign", kind: ConfigMap, follows: "blocked" },
    { outcome: "foreign", kind: Namespace, follows: "written" },
    { outcome: "ignored", kind: ConfigMap, follows: "written" },
    { outcome: "observed", kind: ConfigMap, follows: "written" },
  ] as const)("$kind.kind $outcome: what comes after it is $follows", async ({ outcome, kind, follows }) => {
    const first = apply(ref("first", kind), { apiVersion: "v1", kind: kind.kind, metadata: { name: "first" } });
    const end = (each: Entry): EntryResult =>
      each === first ? { ref: each.ref, outcome, message: "" } : { ref: each.ref, outcome: "written" };
    const { results } = await running([first, entry("next", { after: [first.ref] })], end);
    expect(results).toEqual([`first ${outcome}`, `next ${follows}`]);
  });

  test("of entries that wait for each other is told", async () => {
    const { results } = await running([
      entry("a", { after: [ref("b")] }),
      entry("b", { after: [ref("a")] }),
      entry("c"),
    ]);
    expect(results).toEqual(["a failed", "b failed", "c written"]);
  });
});

test("no more than eight are in flight", async () => {
  let flying = 0;
  let most = 0;
  await runInOrder(
    Array.from({ length: 30 }, (_, index) => entry(`e${index}`)),
    async ({ ref }) => {
      most = Math.max(most, ++flying);
      await Promise.resolve();
      flying--;
      return { ref, outcome: "written" };
    },
    () => false,
  );
  expect(most).toBe(8);
});

test("a later decision ends it: what has begun is finished, and there is no result", async () => {
  let isSuperseded = false;
  const begun: string[] = [];
  const results = await runInOrder(
    [entry("a"), entry("b", { after: [ref("a")] })],
    ({ ref }) => {
      begun.push(ref.name);
      isSuperseded = true;
      return Promise.resolve({ ref, outcome: "written" });
    },
    () => isSuperseded,
  );
  expect([results, begun]).toEqual([undefined, ["a"]]);
});
