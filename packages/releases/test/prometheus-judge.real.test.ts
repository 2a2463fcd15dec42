// Real Prometheus evaluates the rules that Chaski writes, over what a real app would export.
import type { RevisionTarget } from "@chaski/api";
import { RealClock } from "@chaski/clock";
import { until } from "@chaski/test/kube";
import { startPrometheus } from "@chaski/test/prometheus";
import { expect, test } from "vitest";
import type { Evidence } from "../src/engine/world.ts";
import { type Judge, prometheusJudge } from "../src/index.ts";
import { buildCanaryRule, buildRecordingRules } from "../src/objects/prometheus-rules.ts";
import { availability, startExporter } from "./stage/exporter.ts";

const app = {
  app: "echo",
  target: "production",
  fleet: "production",
  namespace: "echo-production",
  releaseManager: "echo-production",
};

function groups(): readonly unknown[] {
  const target = { name: "production", fleet: "production", serviceLevelObjectives: [availability] } as RevisionTarget;
  const recording = buildRecordingRules({ ...app, objectives: [availability], objectiveLabels: {} });
  const canary = buildCanaryRule(app, "v2", target);
  return [recording, canary].flatMap((rule) => rule?.spec?.["groups"] ?? []);
}

async function verdictOf(judge: Judge, isCanaryOnly: boolean, verdict: Evidence["verdict"]): Promise<Evidence> {
  const ask = (): Evidence | undefined => {
    const evidence = judge.evidenceOf({ app: "echo", tag: "v2", isCanaryOnly });
    return evidence.verdict === verdict ? evidence : undefined;
  };
  return until(ask, { what: `v2 is judged ${verdict}`, withinMs: 30_000 });
}

test("healthy passes, 20 % of errors fail, healed passes again, and a killed Prometheus is unknown", async () => {
  await using exported = await startExporter({ v1: 0, v2: 0 });
  await using prometheus = await startPrometheus({ scrape: exported.address, groups: groups() });
  const judge = prometheusJudge({
    clock: new RealClock(),
    address: prometheus.address,
    everyMs: 1_000,
    deadlineMs: 5_000,
    access: () => ({}),
  });
  try {
    const recorded = async () => (await prometheus.count('echo:availability:errors{version="v2"}')) > 0 || undefined;
    await until(recorded, { what: "the rules are evaluated", withinMs: 30_000 });
    for (const isCanaryOnly of [false, true]) await verdictOf(judge, isCanaryOnly, "pass");

    exported.errors["v2"] = 200;
    for (const isCanaryOnly of [false, true]) {
      const { alerts } = await verdictOf(judge, isCanaryOnly, "fail");
      expect(alerts).toEqual(["availability_canary"]);
    }
    expect(judge.evidenceOf({ app: "echo", tag: "v1", isCanaryOnly: false }).verdict).toBe("pass");

    exported.errors["v2"] = 1;
    await verdictOf(judge, false, "pass");

    await prometheus.kill();
    const { cause } = await verdictOf(judge, false, "unknown");
    expect(cause).toBe("it can't be reached (ECONNREFUSED)");
  } finally {
    judge.stop();
  }
});
