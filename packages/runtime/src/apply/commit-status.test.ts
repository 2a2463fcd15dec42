import { VirtualClock } from "@chaski/clock";
import { ConfigMap, type KubeObject } from "@chaski/kube";
import { expect, test } from "vitest";
import { decision, type EventNote } from "../decision/index.ts";
import type { Pass } from "./applier.ts";
import { StatusCommits } from "./commit-status.ts";
import type { Writer } from "./writer.ts";

interface Status {
  readonly phase: string;
  readonly pods: number;
}

const isPhaseSame = (before: unknown, decided: unknown): boolean =>
  (before as Status).phase === (decided as Status).phase;

function setUp() {
  const clock = new VirtualClock();
  const commits = new StatusCommits(clock);
  const metadata = { namespace: "sea", name: "tern" };
  let owner: KubeObject & { status: Status } = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata,
    status: { phase: "moored", pods: 0 },
  };
  const written: Status[] = [];
  const writer = {
    apply: (_ref: unknown, { object }: { object: typeof owner }) => {
      written.push(object.status);
      owner = { ...owner, status: object.status };
      return Promise.resolve(owner);
    },
  } as unknown as Writer;
  const commit = async (status: Status, events: readonly EventNote[] = []): Promise<number | undefined> => {
    const pass: Pass<unknown> = {
      controller: "sea.boat",
      kind: ConfigMap,
      owns: [],
      owner,
      decision: decision({ status, events }),
      traceId: "",
      maySayLater: isPhaseSame,
    };
    await commits.commit(pass, writer, "chaski");
    return commits.heldUntilMs(pass);
  };
  return { clock, commit, written };
}

test("a status that may wait is written with one that may not", async () => {
  const { commit, written } = setUp();
  await commit({ phase: "moored", pods: 1 });
  expect(written).toEqual([]);
  expect(await commit({ phase: "sailing", pods: 2 })).toBeUndefined();
  expect(written).toEqual([{ phase: "sailing", pods: 2 }]);
});

test("a status that may wait is written half a second after the first that did, as it then is", async () => {
  const { clock, commit, written } = setUp();
  const startMs = clock.now();
  expect(await commit({ phase: "moored", pods: 1 })).toBe(startMs + 500);
  await clock.advance(400);
  expect(await commit({ phase: "moored", pods: 2 })).toBe(startMs + 500);
  await clock.advance(100);
  expect(await commit({ phase: "moored", pods: 3 })).toBeUndefined();
  expect(written).toEqual([{ phase: "moored", pods: 3 }]);
});

test("a status with events does not wait: they would be told again by the next pass", async () => {
  const { commit, written } = setUp();
  await commit({ phase: "moored", pods: 1 }, [{ type: "Normal", reason: "Crew", message: "one is aboard" }]);
  expect(written).toEqual([{ phase: "moored", pods: 1 }]);
});
