import { crdOf, type IncarnationStatus, ReleaseManager, releaseResources, Revision } from "@chaski/api";
import { seededRandom, VirtualClock } from "@chaski/clock";
import { createEmbeddedCluster } from "@chaski/embedded";
import { CustomResourceDefinition, formatTimestamp } from "@chaski/kube";
import { createRuntime, prometheusMetrics, silentLogger, undisputed, wake } from "@chaski/runtime";
import { expect, test } from "vitest";
import { mirrorFailures, releaseMetrics } from "./release-metrics.ts";

const apiVersion = "picchu.medium.engineering/v1alpha1";
const key = { namespace: "default", name: "echo-production" };

/** Metrics over the caches of a cluster that nobody works on. */
async function stage() {
  const clock = new VirtualClock();
  const random = seededRandom(1);
  const cluster = await createEmbeddedCluster({ clock, random });
  const metrics = prometheusMetrics();
  const reader = {
    name: "reader",
    kind: ReleaseManager,
    owns: [],
    wakeOn: [wake<Revision>({ kind: Revision, on: "delivery", keys: () => [] })],
    gather: () => undefined,
    decide: () => ({ gates: [], patches: [], desired: [], events: [] }),
  };
  const runtime = createRuntime({
    name: "chaski",
    instance: "test",
    version: "0.0.0",
    delivery: { name: "test", transport: cluster.transport },
    controllers: [reader],
    clock,
    random,
    log: silentLogger,
    leadership: undisputed,
    metrics,
  });
  const definitions = runtime.client.of(CustomResourceDefinition);
  for (const resource of releaseResources)
    await definitions.create(crdOf(resource) as unknown as CustomResourceDefinition);
  await runtime.client.of(ReleaseManager).create({
    apiVersion,
    kind: "ReleaseManager",
    metadata: key,
    spec: { app: "echo", target: "production", fleet: "production" },
  });
  const following = releaseMetrics(runtime, clock);
  await runtime.start();
  await clock.advance(5_000);
  const write = async (...revisions: readonly IncarnationStatus[]): Promise<void> => {
    const status = { lastUpdated: formatTimestamp(clock.now()), revisions };
    await runtime.client.of(ReleaseManager).patch(key, "merge", { status }, { subresource: "status" });
    await clock.advance(1_000);
  };
  const lines = async (name: string): Promise<readonly string[]> => {
    const { body } = await metrics.expose();
    return body.split("\n").filter((line) => line.startsWith(name) && !line.endsWith(" 0"));
  };
  const close = async (): Promise<void> => {
    following[Symbol.dispose]();
    const stopped = runtime.stop();
    await clock.advance(60_000);
    await stopped;
    await cluster.close();
  };
  return { clock, runtime, metrics, write, lines, [Symbol.asyncDispose]: close };
}

function entry(
  clock: VirtualClock,
  tag: string,
  given: Partial<IncarnationStatus>,
  state = "released",
): IncarnationStatus {
  const at = formatTimestamp(clock.now());
  return {
    tag,
    state: { current: state, target: state, lastUpdated: at },
    currentPercent: 0,
    peakPercent: 0,
    releaseEligible: true,
    lastUpdated: at,
    ...given,
  };
}

test("D-47: weights have their tag, every state is counted, and what is gone is told no more", async () => {
  await using scene = await stage();
  const { clock, write, lines, metrics } = scene;
  await write(entry(clock, "v1", { currentPercent: 80 }), entry(clock, "v2", { currentPercent: 20 }, "releasing"));
  expect(await lines("picchu_revision_release_weight")).toEqual([
    'picchu_revision_release_weight{app="echo",target="production",tag="v1"} 80',
    'picchu_revision_release_weight{app="echo",target="production",tag="v2"} 20',
  ]);
  expect(await lines("picchu_incarnation_count")).toEqual([
    'picchu_incarnation_count{app="echo",target="production",state="releasing"} 1',
    'picchu_incarnation_count{app="echo",target="production",state="released"} 1',
  ]);
  const { body } = await metrics.expose();
  expect(body.match(/^picchu_incarnation_count\{/gm)).toHaveLength(20);
  expect(await lines("picchu_revision_oldest_age_seconds")).toHaveLength(2);

  await write(entry(clock, "v2", { currentPercent: 100 }));
  expect(await lines("picchu_revision_release_weight")).toEqual([
    'picchu_revision_release_weight{app="echo",target="production",tag="v2"} 100',
  ]);
  expect(await lines("picchu_revision_oldest_age_seconds")).toHaveLength(1);
});

test("a latency is observed once, when it first appears", async () => {
  await using scene = await stage();
  const { clock, write, lines } = scene;
  const v1 = entry(clock, "v1", {});
  await write(v1);
  for (let pass = 0; pass < 3; pass++)
    await write({ ...v1, metrics: { deploySecondsInt: 45, gitDeploySecondsInt: 400 } });
  expect(await lines("picchu_deploy_latency_count")).toEqual([
    'picchu_deploy_latency_count{app="echo",target="production"} 1',
  ]);
  expect(await lines('picchu_deploy_latency_bucket{le="90"')).toHaveLength(1);
  expect(await lines('picchu_git_deploy_latency_bucket{le="1080"')).toHaveLength(1);
  expect(await lines("picchu_git_deploy_latency_sum")).toEqual([
    'picchu_git_deploy_latency_sum{app="echo",target="production"} 400',
  ]);
});

test("failed revisions and failures of mirrors are told", async () => {
  await using scene = await stage();
  const { clock, lines, metrics, runtime } = scene;
  const app = { name: "echo", ref: "main", tag: "v1", image: "i" };
  const metadata = { name: "echo-v1", namespace: "default" };
  await runtime.client
    .of(Revision)
    .create({ apiVersion, kind: "Revision", metadata, spec: { app, failed: true, targets: [] } });
  await clock.advance(1_000);
  expect(await lines("picchu_revision_failed")).toEqual(['picchu_revision_failed{app="echo",tag="v1"} 1']);
  mirrorFailures(metrics)("echo", "to-west");
  expect(await lines("picchu_mirror_failure_counter")).toEqual([
    'picchu_mirror_failure_counter{app="echo",mirror="to-west"} 1',
  ]);
});
