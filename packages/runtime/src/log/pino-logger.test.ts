import { expect, test } from "vitest";
import type { Logger } from "./logger.ts";
import { pinoLogger } from "./pino-logger.ts";

function setUp(): { log: Logger; lines: () => Record<string, unknown>[] } {
  const written: string[] = [];
  const log = pinoLogger({ level: "debug", destination: { write: (line) => void written.push(line) } });
  return { log, lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

test("a line has its level, message and fields, and the trace id of its reconcile", () => {
  const { log, lines } = setUp();
  log.with({ traceId: "abc", key: "shop/web" }).warn("stalled", { reason: "BadSpec" });
  expect(lines()).toEqual([
    expect.objectContaining({ level: "warn", message: "stalled", traceId: "abc", key: "shop/web", reason: "BadSpec" }),
  ]);
});

test.each([
  { what: "a token", fields: { token: "hunter2" } },
  { what: "a password deep inside", fields: { config: { db: { dbPassword: "hunter2" } } } },
  { what: "a header", fields: { headers: { Authorization: "hunter2" } } },
  { what: "a client key of a kubeconfig", fields: { user: { "client-key-data": "hunter2" } } },
  { what: "a Secret's data", fields: { object: { kind: "Secret", data: { user: "hunter2" } } } },
  { what: "a bearer token in a text", fields: { note: "sent Bearer hunter2hunter2 to it" } },
  { what: "a password in an address", fields: { note: "https://ada:hunter2@registry/x" } },
  { what: "a JWT", fields: { note: "eyJhbGciOiJub25lIn0.hunter2hunter2.x" } },
  { what: "a private key", fields: { pem: "-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----" } },
  { what: "an error's message", fields: { error: new Error("Basic hunter2hunter2 refused") } },
  { what: "an error's cause", fields: { error: new Error("x", { cause: { password: "hunter2" } }) } },
])("$what is not logged", ({ fields }) => {
  const { log, lines } = setUp();
  log.info("something", fields);
  log.with(fields).info("something");
  expect(JSON.stringify(lines())).not.toContain("hunter2");
  expect(JSON.stringify(lines())).toContain("[redacted]");
});

test("names of secrets are told: they are what people search for", () => {
  const { log, lines } = setUp();
  log.info("copied", {
    secretName: "db",
    tokenFile: "/var/run/token",
    error: Object.assign(new Error("x"), { code: 7 }),
  });
  expect(lines()[0]).toMatchObject({ secretName: "db", tokenFile: "/var/run/token", error: { message: "x", code: 7 } });
});

test("what is below the level is not written", () => {
  const written: string[] = [];
  const log = pinoLogger({ destination: { write: (line) => void written.push(line) } });
  log.debug("the pass ended");
  expect(written).toEqual([]);
});
