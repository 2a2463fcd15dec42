import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualClock } from "@chaski/clock";
import { type Logger, prometheusMetrics, silentLogger } from "@chaski/runtime";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FollowedConfig } from "./followed-config.ts";

const head = "apiVersion: chaski.dev/v1alpha1\nkind: OperatorConfig\n";
let folder = "";
let path = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "chaski-config-"));
  path = join(folder, "chaski.yaml");
});
afterEach(() => rm(folder, { recursive: true }));

const untilPercent = (percent: number): string => `${head}judge: { untilPercent: ${percent} }\n`;

async function opened() {
  await writeFile(path, untilPercent(100));
  const clock = new VirtualClock();
  const config = await FollowedConfig.open({ path, clock, log: silentLogger });
  const metrics = prometheusMetrics();
  config.reportTo(metrics);
  const isValid = async (): Promise<boolean> => /^chaski_config_valid 1$/m.test((await metrics.expose()).body);
  const passes = async (holds: () => boolean | Promise<boolean>): Promise<void> =>
    vi.waitFor(
      async () => {
        await clock.advance(5_000);
        expect(await holds()).toBe(true);
      },
      { timeout: 10_000, interval: 10 },
    );
  return { config, isValid, passes };
}

test("what is written into the file takes effect without a restart", async () => {
  const { config, passes } = await opened();
  await writeFile(path, untilPercent(70));
  await passes(() => config.current.config?.judge?.untilPercent === 70);
});

test.each([
  { what: "does not fit", text: untilPercent(700) },
  { what: "is not YAML", text: "{" },
  { what: "is empty", text: "" },
  { what: "names no country that there is", text: `${head}calendars: [{ country: XX }]\n` },
])("one that $what leaves the old one in place, a metric says so, and mending it helps", async ({ text }) => {
  const { config, isValid, passes } = await opened();
  await writeFile(path, text);
  await passes(async () => !(await isValid()));
  expect(config.current.config?.judge?.untilPercent).toBe(100);
  await writeFile(path, untilPercent(70));
  await passes(() => isValid());
  expect(config.current.config?.judge?.untilPercent).toBe(70);
});

test.each([
  { text: untilPercent(700), told: /chaski\.yaml:3:24: config\.judge\.untilPercent: / },
  { text: `${head}calender: []\n`, told: /chaski\.yaml:3:11: config\.calender: is no field/ },
  { text: `${head}timeouts: { deploying: [\n`, told: /chaski\.yaml:4:1: \S.*/ },
  { text: "", told: /chaski\.yaml:1:1: config: / },
])("one that is invalid at the start ends the start, with line and column: $told", async ({ text, told }) => {
  await writeFile(path, text);
  const opening = FollowedConfig.open({ path, clock: new VirtualClock(), log: silentLogger });
  await expect(opening).rejects.toThrow(told);
});

test("what nothing uses yet is warned of", async () => {
  await writeFile(path, `${head}slack: { channel: releases }\n`);
  const warn = vi.fn<Logger["warn"]>();
  using _config = await FollowedConfig.open({ path, clock: new VirtualClock(), log: { ...silentLogger, warn } });
  expect(warn.mock.calls).toEqual([["the configuration names what nothing uses yet", { path, field: "slack" }]]);
});

test("one that is missing ends the start", async () => {
  const opening = FollowedConfig.open({ path, clock: new VirtualClock(), log: silentLogger });
  await expect(opening).rejects.toThrow(/can't be read \(ENOENT\)/);
});

test("D-02: the public holidays of a country come without being written down", async () => {
  await writeFile(path, `${head}calendars: [{ country: DE }]\n`);
  const clock = new VirtualClock(Date.UTC(2026, 5, 1));
  using config = await FollowedConfig.open({ path, clock, log: silentLogger });
  expect(config.current.calendars[0]?.holidays).toContain("2026-10-03");
});
