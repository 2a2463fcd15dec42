// Real clusters, and a real Prometheus that evaluates what Chaski wrote there.
import { systemRandom } from "@chaski/clock";
import { startPrometheus } from "@chaski/test/prometheus";
import { expect, test } from "vitest";
import { prometheusJudge } from "../src/index.ts";
import { PrometheusRule } from "../src/objects/kinds.ts";
import { availability, startExporter } from "./stage/exporter.ts";
import { FleetStage, type Target } from "./stage/fleet-stage.ts";
import { newOperator } from "./stage/operator.ts";
import { deliveryLink, realFleet } from "./stage/real-fleet.ts";

const target = {
  canary: { percent: 20, ttl: 60 },
  serviceLevelObjectives: [availability],
  release: { eligible: true, schedule: "always" },
};

/** What prometheus-operator would hand to Prometheus. */
async function groupsOn({ client }: Target, namespace: string): Promise<readonly unknown[]> {
  const { items } = await client.of(PrometheusRule).list({ namespace });
  return items.flatMap(({ spec }) => spec?.["groups"] ?? []);
}

test("20 % of errors roll a canary back; without Prometheus the next one is held", { timeout: 400_000 }, async () => {
  await using stack = new AsyncDisposableStack();
  const fleet = await realFleet();
  stack.defer(() => fleet.stop());
  const exported = stack.use(await startExporter({ v1: 0, v2: 200 }));
  const prometheus = stack.use(await startPrometheus({ scrape: exported.address, groups: [] }));
  const { clock } = fleet;
  const access = () => ({});
  const judge = prometheusJudge({ clock, address: prometheus.address, everyMs: 1_000, deadlineMs: 5_000, access });
  stack.defer(() => judge.stop());
  const link = deliveryLink(fleet.connection);
  const operator = newOperator(link, { clock, random: systemRandom, judges: [judge], flags: { judges: [judge.name] } });
  stack.defer(() => operator.stop());
  await operator.start();
  const namespace = await fleet.plane.createNamespace();
  const stage = new FleetStage(fleet.platform, { app: "echo", namespace });
  await stage.joinAll();

  await stage.released("v1", target);
  await stage.release("v2", target);
  await stage.until("v2 has its share", async () => ((await stage.entry("v2"))?.currentPercent ?? 0) === 20);
  const [west] = stage.targets.toReversed();
  if (!west) throw new Error("the fleet has three targets");
  await prometheus.setRules(await groupsOn(west, stage.place));
  await stage.until("v1 has everything again", async () => (await stage.weights()) === "v1 100");
  expect((await stage.revision("v2"))?.spec.failed).toBe(true);
  expect((await stage.entry("v2"))?.triggeredAlerts).toEqual(["availability_canary"]);

  await prometheus.kill();
  // Its last answer is believed until the next question fails.
  const v1 = { app: "echo", tag: "v1", isCanaryOnly: false };
  await stage.until("Prometheus is missed", async () => judge.evidenceOf(v1).verdict === "unknown");
  await stage.release("v3", target);
  await stage.until("v3 is held", async () => {
    const gates = (await stage.releaseManager())?.status?.gates ?? [];
    return gates.some(
      ({ name, subject, message }) => name === "Evidence" && subject === "v3" && message.includes("ECONNREFUSED"),
    );
  });
  await stage.pass(15_000);
  expect(await stage.weights()).toBe("v1 100");
  expect((await stage.revision("v3"))?.spec.failed).toBe(false);
});
