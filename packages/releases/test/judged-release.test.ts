// A judge's word on a release in the middle of its ramp, from the provider's answer to the routes of three clusters.
import { afterEach, describe, expect, test } from "vitest";
import { PolledJudge } from "../src/evidence/polled-judge.ts";
import { EmbeddedScene } from "./stage/embedded-scene.ts";
import { availability } from "./stage/exporter.ts";

let scene: EmbeddedScene | undefined;
afterEach(async () => {
  await scene?.close();
});

/** v1 released, v2 at 20 %, and a provider that says what the test wants. */
async function midRamp() {
  const opened = await EmbeddedScene.open();
  scene = opened;
  const { stage, fleet } = opened;
  const provider = { bad: [] as string[], error: undefined as Error | undefined, questions: 0 };
  const judge = new PolledJudge<readonly string[]>({
    name: "prometheus",
    clock: fleet.clock,
    everyMs: 10_000,
    deadlineMs: 10_000,
    questionFor: () => "all",
    ask: () => {
      provider.questions += 1;
      return provider.error ? Promise.reject(provider.error) : Promise.resolve([...provider.bad]);
    },
    alertsIn: (bad, { tag }) => (bad.includes(tag) ? ["burning"] : []),
  });
  await opened.startOperator({ judges: [judge], flags: { judges: ["prometheus"] } });
  await stage.joinAll();
  await stage.released("v1");
  const release = {
    eligible: true,
    schedule: "always",
    scalingStrategy: "linear",
    linearScaling: { increment: 20, delay: "30s" },
  };
  await stage.release("v2", { release });
  const percent = async (): Promise<number> => (await stage.entry("v2"))?.currentPercent ?? 0;
  await stage.until("v2 has 20 %", async () => (await percent()) === 20);
  return { stage, provider, judge, percent };
}

describe("while v2 ramps", { timeout: 60_000 }, () => {
  test("a bad word rolls it back on every cluster, and its alerts are kept", async () => {
    const { stage, provider } = await midRamp();
    provider.bad = ["v2"];
    await stage.until("v1 has everything again", async () => (await stage.weights()) === "v1 100");
    expect((await stage.revision("v2"))?.spec.failed).toBe(true);
    expect((await stage.entry("v2"))?.triggeredAlerts).toEqual(["burning"]);
  });

  test("a provider that is down holds it where it is, says so, and lets it go on when it answers", async () => {
    const { stage, provider, percent } = await midRamp();
    provider.error = new Error("it can't be reached (ECONNREFUSED)");
    await stage.until("it is held", async () => {
      const gates = (await stage.releaseManager())?.status?.gates ?? [];
      return gates.some(
        ({ name, verdict, message }) =>
          name === "Evidence" && verdict === "unknown" && message.includes("ECONNREFUSED"),
      );
    });
    const held = await percent();
    await stage.pass(300_000);
    expect(await percent()).toBe(held);
    expect((await stage.revision("v2"))?.spec.failed).toBe(false);
    provider.error = undefined;
    await stage.until("it goes on", async () => (await percent()) > held);
  });

  test("one that begins while the provider is down gets no traffic at all", async () => {
    const { stage, provider } = await midRamp();
    await stage.untilReleased("v2");
    provider.error = new Error("it can't be reached (ECONNREFUSED)");
    await stage.pass(20_000);
    await stage.release("v3", { canary: { percent: 10, ttl: 30 }, serviceLevelObjectives: [availability] });
    await stage.untilState("v3", "canarying");
    await stage.pass(120_000);
    expect(await stage.weights()).toBe("v2 100");
    provider.error = undefined;
    await stage.untilReleased("v3");
  });

  test("nobody is asked once there is nobody to judge", async () => {
    const { stage, provider, judge } = await midRamp();
    await stage.untilReleased("v2");
    await stage.delete("v1");
    await stage.pass(300_000);
    const asked = provider.questions;
    await stage.pass(300_000);
    expect({ more: provider.questions - asked, open: judge.size }).toEqual({ more: 0, open: 0 });
  });
});
