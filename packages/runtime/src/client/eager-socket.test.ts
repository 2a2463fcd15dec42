import { once } from "node:events";
import { Readable } from "node:stream";
import { scheduler } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { handOver } from "./eager-socket.ts";

describe("a socket that hands over what arrives", () => {
  test("tells its reader in the same turn", () => {
    const { socket, taken } = readBy("eager");
    socket.push("a");
    socket.push("b");
    expect(taken).toEqual(["a", "b"]);
  });

  test("keeps what its reader does not take, and the order", async () => {
    const { socket, taken, go } = readBy("eager", { isPaused: true });
    for (const chunk of ["a", "b", "c"]) socket.push(chunk);
    expect(taken).toEqual([]);
    go();
    socket.push("d");
    await scheduler.yield();
    expect(taken.join("")).toBe("abcd");
  });

  test("says when it can't keep more", () => {
    const { socket } = readBy("eager", { isPaused: true });
    expect(socket.push("x".repeat(8))).toBe(true);
    expect(socket.push("x".repeat(8))).toBe(false);
  });

  test.each([{ isPaused: false }, { isPaused: true }])("ends as any stream does: %o", async (options) => {
    const { socket, taken, go } = readBy("eager", options);
    socket.push("a");
    socket.push(null);
    const isOver = once(socket, "end");
    go();
    await isOver;
    expect(taken).toEqual(["a"]);
  });

  test("an ordinary one tells later", () => {
    const { socket, taken } = readBy("ordinary");
    socket.push("a");
    expect(taken).toEqual([]);
  });
});

/** Reads as undici does: all that is there, whenever it is told so, unless it is paused. */
function readBy(kind: "eager" | "ordinary", { isPaused = false } = {}) {
  const socket = new Readable({ read: () => {}, highWaterMark: 16, encoding: "utf8" });
  if (kind === "eager") handOver(socket);
  const taken: string[] = [];
  const next = (): string | null => socket.read() as string | null;
  const readAll = (): void => {
    for (let chunk = next(); chunk !== null; chunk = next()) taken.push(chunk);
  };
  socket.on("readable", () => {
    if (!isPaused) readAll();
  });
  const go = (): void => {
    isPaused = false;
    readAll();
  };
  return { socket, taken, go };
}
