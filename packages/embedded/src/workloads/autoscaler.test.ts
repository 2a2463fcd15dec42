import type { HorizontalPodAutoscaler } from "@chaski/kube";
import { describe, expect, test } from "vitest";
import { type EmbeddedWorkloads, startWorkloads } from "../../test/embedded-workloads.ts";
import type { LoadModel } from "../index.ts";

const AUTOSCALERS = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
const PERIOD = 15_000;
const MINUTE = 60_000;

async function autoscale({ stage, clock }: EmbeddedWorkloads, spec: object = {}): Promise<void> {
  const { status } = await stage.requests.post(AUTOSCALERS, {
    metadata: { name: "web" },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      minReplicas: 2,
      maxReplicas: 10,
      metrics: [
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
      ],
      ...spec,
    },
  });
  expect(status).toBe(201);
  await clock.settle();
}

async function autoscaler({ stage }: EmbeddedWorkloads): Promise<HorizontalPodAutoscaler> {
  return (await stage.requests.get(`${AUTOSCALERS}/web`)).body as HorizontalPodAutoscaler;
}

async function conditions(cluster: EmbeddedWorkloads): Promise<string[]> {
  const { status } = await autoscaler(cluster);
  return (status?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);
}

const replicas = async ({ stage }: EmbeddedWorkloads): Promise<number | undefined> =>
  (await stage.deployment()).spec.replicas;

async function start(load: LoadModel | undefined, size = 4): Promise<EmbeddedWorkloads> {
  const cluster = await startWorkloads({ ...(load && { load }) });
  await cluster.stage.deploy({ replicas: size });
  await cluster.clock.settle();
  return cluster;
}

/** The same work, shared by however many pods there are. */
const work =
  (percent: number): LoadModel =>
  ({ replicas }) =>
    percent / Math.max(1, replicas);

describe("the load model decides", () => {
  test.each([
    { what: "twice the target: twice the pods", percent: 400, expected: 8 },
    { what: "within a tenth of the target: as it is", percent: 218, expected: 4 },
    { what: "far beyond: the maximum", percent: 4_000, expected: 10 },
  ])("$what", async ({ percent, expected }) => {
    const cluster = await start(work(percent));
    await autoscale(cluster);
    await cluster.clock.advance(5 * MINUTE);
    expect(await replicas(cluster)).toBe(expected);
    expect((await autoscaler(cluster)).status).toMatchObject({ currentReplicas: expected, desiredReplicas: expected });
  });

  test("growth is limited to twice the size, or four, at a time", async () => {
    const cluster = await start(work(4_000), 3);
    await autoscale(cluster, { maxReplicas: 100 });
    const seen: (number | undefined)[] = [];
    for (let period = 0; period < 3; period++) {
      await cluster.clock.advance(PERIOD);
      seen.push(await replicas(cluster));
    }
    expect(seen).toEqual([6, 12, 24]);
    expect(await conditions(cluster)).toContain("ScalingLimited=True ScaleUpLimit");
  });

  test("shrinking waits until the higher recommendations are five minutes old", async () => {
    let load = 400;
    const cluster = await start((reading) => work(load)(reading), 8);
    await autoscale(cluster);
    await cluster.clock.advance(2 * PERIOD);
    load = 100;
    await cluster.clock.advance(4 * MINUTE);
    expect(await replicas(cluster)).toBe(8);
    expect(await conditions(cluster)).toContain("AbleToScale=True ScaleDownStabilized");
    await cluster.clock.advance(2 * MINUTE);
    expect(await replicas(cluster)).toBe(2);
  });

  test("a behaviour of its own sets the pace", async () => {
    const cluster = await start(work(4_000), 2);
    const scaleUp = { policies: [{ type: "Pods", value: 1, periodSeconds: 60 }] };
    await autoscale(cluster, { behavior: { scaleUp } });
    await cluster.clock.advance(PERIOD);
    expect(await replicas(cluster)).toBe(3);
    await cluster.clock.advance(45_000);
    expect(await replicas(cluster)).toBe(3);
    await cluster.clock.advance(PERIOD);
    expect(await replicas(cluster)).toBe(4);
  });

  test("several metrics: the one that wants most wins", async () => {
    const target = { type: "AverageValue", averageValue: "10" };
    const external = { type: "External", external: { metric: { name: "queue" }, target } };
    const cpu = {
      type: "Resource",
      resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
    };
    const cluster = await start(({ metric, replicas }) => (metric.type === "External" ? 60 / replicas : 50));
    await autoscale(cluster, { metrics: [cpu, external] });
    await cluster.clock.advance(5 * MINUTE);
    expect(await replicas(cluster)).toBe(6);
    expect((await autoscaler(cluster)).status?.currentMetrics).toEqual([
      { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 50 } } },
      { type: "External", external: { metric: { name: "queue" }, current: { averageValue: "10" } } },
    ]);
  });
});

test("the size is brought within the bounds whatever is measured", async () => {
  const cluster = await start(undefined, 1);
  await autoscale(cluster);
  await cluster.clock.advance(PERIOD);
  expect(await replicas(cluster)).toBe(2);
  expect((await cluster.stage.events("SuccessfulRescale"))[0]?.message).toBe(
    "New size: 2; reason: Current number of replicas below Spec.MinReplicas",
  );
});

describe("what it can't do is a condition", () => {
  test("no metrics", async () => {
    const cluster = await start(undefined);
    await autoscale(cluster);
    await cluster.clock.advance(PERIOD);
    expect(await conditions(cluster)).toEqual([
      "AbleToScale=True SucceededGetScale",
      "ScalingActive=False FailedGetResourceMetric",
    ]);
  });

  test("no target", async () => {
    const cluster = await start(work(100));
    await autoscale(cluster, { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "absent" } });
    await cluster.clock.advance(PERIOD);
    expect(await conditions(cluster)).toEqual(["AbleToScale=False FailedGetScale"]);
  });

  test("a target of no replicas is left alone", async () => {
    const cluster = await start(work(100), 0);
    await autoscale(cluster);
    await cluster.clock.advance(PERIOD);
    expect(await replicas(cluster)).toBe(0);
    expect(await conditions(cluster)).toContain("ScalingActive=False ScalingDisabled");
  });
});
