// Real Prometheus evaluates the rules that Chaski writes, over what a real app would export.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { RevisionTarget } from "@chaski/api";
import { RealClock } from "@chaski/clock";
import { until } from "@chaski/test/kube";
import { startPrometheus } from "@chaski/test/prometheus";
import { expect, test } from "vitest";
import type { Evidence } from "../src/engine/world.ts";
import { type Judge, prometheusJudge } from "../src/index.ts";
import { buildCanaryRule, buildRecordingRules } from "../src/objects/prometheus-rules.ts";

const app = {
  app: "echo",
  target: "production",
  fleet: "production",
  namespace: "echo-production",
  releaseManager: "echo-production",
};

const objective = {
  name: "availability",
  enabled: true,
  serviceLevelIndicator: {
    tagKey: "version",
    totalQuery: "sum by (version) (requests_total)",
    errorQuery: 'sum by (version) (requests_total{code="500"})',
    canary: { enabled: true, allowancePercentString: "1", failAfter: "1s" },
  },
};

function groups(): readonly unknown[] {
  const target = { name: "production", fleet: "production", serviceLevelObjectives: [objective] } as RevisionTarget;
  const recording = buildRecordingRules({ ...app, objectives: [objective], objectiveLabels: {} });
  const canary = buildCanaryRule(app, "v2", target);
  return [recording, canary].flatMap((rule) => rule?.spec?.["groups"] ?? []);
}

/** Two versions of an app; v2 has as many errors among 1000 requests as the test says. */
async function startApp() {
  const errors = { ofThousand: 0 };
  const server = createServer((_request, response) => {
    response.end(
      [
        'requests_total{version="v1",code="200"} 99990',
        'requests_total{version="v1",code="500"} 10',
        `requests_total{version="v2",code="200"} ${1_000 - errors.ofThousand}`,
        `requests_total{version="v2",code="500"} ${errors.ofThousand}`,
        "",
      ].join("\n"),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, errors, [Symbol.asyncDispose]: stop };
}

async function verdictOf(judge: Judge, isCanaryOnly: boolean, verdict: Evidence["verdict"]): Promise<Evidence> {
  const ask = (): Evidence | undefined => {
    const evidence = judge.evidenceOf({ app: "echo", tag: "v2", isCanaryOnly });
    return evidence.verdict === verdict ? evidence : undefined;
  };
  return until(ask, { what: `v2 is judged ${verdict}`, withinMs: 30_000 });
}

test("healthy passes, 20 % of errors fail, healed passes again, and a killed Prometheus is unknown", async () => {
  await using exported = await startApp();
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

    exported.errors.ofThousand = 200;
    for (const isCanaryOnly of [false, true]) {
      const { alerts } = await verdictOf(judge, isCanaryOnly, "fail");
      expect(alerts).toEqual(["availability_canary"]);
    }
    expect(judge.evidenceOf({ app: "echo", tag: "v1", isCanaryOnly: false }).verdict).toBe("pass");

    exported.errors.ofThousand = 1;
    await verdictOf(judge, false, "pass");

    await prometheus.kill();
    const { cause } = await verdictOf(judge, false, "unknown");
    expect(cause).toBe("it can't be reached (ECONNREFUSED)");
  } finally {
    judge.stop();
  }
});
