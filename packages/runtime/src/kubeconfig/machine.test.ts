import { RealClock } from "@chaski/clock";
import { expect, test } from "vitest";
import { thisMachine } from "./machine.ts";

const machine = thisMachine(new RealClock());
const run = (script: string, args: readonly string[] = [], signal = new AbortController().signal): Promise<string> =>
  machine.run(process.execPath, ["-e", script, ...args], { env: { GREETING: "hello" }, signal });

test("a program gets its arguments as they are, its own environment, and nothing to read", async () => {
  const script = `
    process.stdin.resume().on("end", () =>
      console.log(JSON.stringify([process.argv[1], process.env.GREETING, process.env.PATH ?? null])))`;
  expect(JSON.parse(await run(script, ["$(id); `id` *"]))).toEqual(["$(id); `id` *", "hello", null]);
});

test("one that fails rejects with its exit code", async () => {
  await expect(run("process.exit(3)")).rejects.toMatchObject({ code: 3 });
});

test("one that is not there rejects with ENOENT", async () => {
  const signal = new AbortController().signal;
  await expect(machine.run("/no/such/program", [], { env: {}, signal })).rejects.toMatchObject({ code: "ENOENT" });
});

test("one that does not end is killed", async () => {
  const stop = new AbortController();
  const running = run("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)", [], stop.signal);
  stop.abort();
  await expect(running).rejects.toMatchObject({ name: "AbortError" });
});
