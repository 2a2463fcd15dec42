import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { boat, boatController, type BoatWorld, sailing, stopAll } from "../../test/doubles/boats.ts";
import { type Decision, decision } from "../decision/index.ts";
import { canonicalJson } from "./canonical-json.ts";
import { FileRecording } from "./file-recording.ts";
import { MemoryRecording } from "./memory-recording.ts";
import { recordTo } from "./recorded-pass.ts";
import { replay } from "./replay.ts";

const directories: string[] = [];
afterEach(async () => {
  await stopAll();
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "recording-"));
  directories.push(directory);
  return directory;
}

function decideSails({ object, nowMs }: BoatWorld): Decision<unknown> {
  const sails = object.spec.sails;
  return decision({ status: { sails, isFast: sails > 3 }, wakeAtMs: nowMs + 60_000 });
}

/** The lines of a controller that saw a boat with two to six sails. */
async function recordedLines(): Promise<readonly string[]> {
  const memory = new MemoryRecording();
  const { clock, boats } = await sailing(boatController(decideSails), { record: recordTo([memory], "1.2.3") });
  for (let sails = 2; sails <= 6; sails++) {
    boats.put(boat("tern", { sails }));
    await clock.advance(50);
  }
  return memory.lines("sea.boat:sea/tern");
}

test("every pass is one line with sorted keys: v, engine, at, key, world, decision", async () => {
  const lines = await recordedLines();
  expect(lines).toHaveLength(6);
  const [first] = lines;
  expect(first).not.toContain("\n");
  expect(Object.keys(JSON.parse(first ?? "") as object)).toEqual(["at", "decision", "engine", "key", "v", "world"]);
  expect(JSON.parse(first ?? "")).toMatchObject({
    v: 1,
    engine: "sea.boat@1.2.3",
    at: "2026-01-01T00:00:00.000Z",
    key: "sea/tern",
    world: { object: { spec: { sails: 1 } } },
    decision: { status: { sails: 1, isFast: false } },
  });
});

test("a recording replays bit for bit", async () => {
  expect(replay(await recordedLines(), decideSails)).toEqual({ passes: 6 });
});

test("a replay by another engine names the first difference", async () => {
  const changed = (world: BoatWorld): Decision<unknown> => ({
    ...decideSails(world),
    status: { sails: world.object.spec.sails, isFast: world.object.spec.sails > 4 },
  });
  expect(replay(await recordedLines(), changed).difference).toEqual({
    line: 4,
    key: "sea/tern",
    path: "status.isFast",
    recorded: true,
    replayed: false,
  });
});

test.each([
  { what: "no JSON", line: "{", message: "line 1: not JSON" },
  { what: "another version", line: '{"v":2}', message: "line 1: a recording of version 2" },
])("a line of $what is refused by its number", ({ line, message }) => {
  expect(() => replay([line], decideSails)).toThrow(message);
});

test("memory keeps the last 200 passes of every owner", () => {
  const memory = new MemoryRecording();
  for (let number = 0; number < 250; number++) memory.write("a", `a${number}`);
  memory.write("b", "b0");
  expect(memory.lines("a")).toHaveLength(200);
  expect(memory.lines("a")[0]).toBe("a50");
  expect(memory.lines("b")).toEqual(["b0"]);
});

test("memory is bounded over all owners: the oldest lines go first", () => {
  const memory = new MemoryRecording(100);
  for (let number = 10; number < 60; number++) memory.write(`owner-${number % 5}`, `line ${number}`);
  const kept = Array.from({ length: 5 }, (_, owner) => memory.lines(`owner-${owner}`)).flat();
  expect(kept.toSorted()).toEqual(Array.from({ length: 14 }, (_, index) => `line ${46 + index}`));
});

test("files rotate within their size, the oldest goes", async () => {
  const directory = await temporaryDirectory();
  const recording = new FileRecording({ directory, bytesMax: 400 });
  for (let number = 10; number < 99; number++) recording.write("a", `{"n":${number}}`);
  await recording.flush();
  const files = (await readdir(directory)).toSorted();
  expect(files).toHaveLength(4);
  const bodies = await Promise.all(files.map((file) => readFile(join(directory, file), "utf8")));
  expect(bodies.every((body) => body.length <= 100)).toBe(true);
  expect(bodies.join("").trim().split("\n").at(-1)).toBe('{"n":98}');
});

test("after a restart a new file begins, and all files together stay within the size", async () => {
  const directory = await temporaryDirectory();
  for (let run = 1; run <= 9; run++) {
    const recording = new FileRecording({ directory, bytesMax: 400 });
    for (let number = 0; number < run; number++) recording.write("a", `{"run":${run},"line":${number}}`);
    await recording.flush();
  }
  const files = (await readdir(directory)).toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const bodies = await Promise.all(files.map((file) => readFile(join(directory, file), "utf8")));
  expect(bodies.join("").length).toBeLessThanOrEqual(400);
  expect(bodies.join("").trim().split("\n").at(-1)).toBe('{"run":9,"line":8}');
  expect(bodies.every((body) => new Set(body.match(/"run":\d/g)).size === 1)).toBe(true);
});

test("a directory that can't be written is reported once, and nothing else happens", async () => {
  const errors: unknown[] = [];
  const recording = new FileRecording({
    directory: join(import.meta.filename, "inside"),
    onError: (error) => errors.push(error),
  });
  for (let pass = 0; pass < 3; pass++) {
    recording.write("a", "{}");
    await recording.flush();
  }
  expect(errors).toHaveLength(1);
});

test("the data of a Secret never gets into a line", () => {
  const world = { secret: { apiVersion: "v1", kind: "Secret", data: { password: "aHVudGVyMg==" } } };
  expect(canonicalJson(world)).not.toContain("aHVudGVyMg");
});
