// One random life of a release: pods become ready and fail, people approve, retreat, scale and change the image, the
// operator is cut off in the middle of its writes.
import type { Canary, CanarySpec } from "@chaski/api";
import type { Random } from "@chaski/clock";
import { decideCanary } from "../src/index.ts";
import { canaryDeploy, deployment } from "./builders.ts";
import { ModelCluster } from "./model-cluster.ts";

export interface History {
  readonly cluster: ModelCluster;
  /** What went wrong, in words; empty if nothing did. */
  readonly faults: readonly string[];
  readonly decisions: number;
}

const WILD_ROUNDS = 40;
const CALM_ROUNDS = 400;

export function runHistory(random: Random): History {
  const pick = (below: number): number => Math.floor(random() * below);
  const replicas = pick(15);
  const totalBatches = 1 + pick(6);
  const pauseType = (["First", "All", "None"] as const)[pick(3)] ?? "First";
  const batchMode = pick(2) === 0 ? "article" : "even";
  const cluster = new ModelCluster(
    canaryDeploy({ replicas, totalBatches, pauseType, batchMode }),
    deployment("shop-v1", { replicas }),
  );
  const faults: string[] = [];
  let decisions = 0;

  const round = (isWild: boolean): void => {
    decisions++;
    const limit = isWild && pick(4) === 0 ? pick(4) : Number.POSITIVE_INFINITY;
    const lossesBefore = cluster.losses.length;
    cluster.take(decideCanary(cluster.world()), limit);
    faults.push(...lossFaults(cluster, lossesBefore));
    if (pick(3) > 0) cluster.observe();
    cluster.becomeReady(() => random() < 0.5);
    cluster.nowMs += 1_000;
  };

  for (let step = 0; step < WILD_ROUNDS; step++) {
    if (pick(6) === 0) cluster.canary = changed(cluster.canary, pick);
    if (pick(8) === 0) cluster.failPods(() => random() < 0.2);
    round(true);
  }
  cluster.canary = withSpec(cluster.canary, { currentBatch: cluster.canary.spec.totalBatches ?? 1, pauseType: "None" });
  for (let step = 0; step < CALM_ROUNDS && !isReady(cluster.canary); step++) {
    cluster.becomeReady(() => true);
    cluster.observe();
    round(false);
  }
  if (!isReady(cluster.canary)) faults.push(`never finished: ${JSON.stringify(cluster.canary.status)}`);
  if (cluster.available() < (cluster.canary.spec.replicas ?? 0))
    faults.push(`ended with ${cluster.available()} available pods`);
  return { cluster, faults, decisions };
}

/** A write of ours may take a serving pod only while enough others serve. */
function lossFaults(cluster: ModelCluster, from: number): string[] {
  const total = cluster.canary.spec.replicas ?? 0;
  return cluster.losses
    .slice(from)
    .filter(({ after, before }) => after < Math.min(total, before))
    .map(
      ({ entry, before, after }) => `${JSON.stringify(entry)} took availability from ${before} to ${after} of ${total}`,
    );
}

function changed(canary: Canary, pick: (below: number) => number): Canary {
  const totalBatches = canary.spec.totalBatches ?? 1;
  const changes: readonly (() => Partial<CanarySpec>)[] = [
    () => ({ currentBatch: 1 + pick(totalBatches) }),
    () => ({ replicas: pick(15) }),
    () => ({ image: `shop:${1 + pick(4)}` }),
    () => ({ pauseType: (["First", "All", "None"] as const)[pick(3)] ?? "First" }),
  ];
  return withSpec(canary, changes[pick(changes.length)]?.() ?? {});
}

function withSpec(canary: Canary, spec: Partial<CanarySpec>): Canary {
  const generation = (canary.metadata.generation ?? 1) + 1;
  return { ...canary, metadata: { ...canary.metadata, generation }, spec: { ...canary.spec, ...spec } };
}

function isReady({ metadata, status }: Canary): boolean {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "True" && status?.observedGeneration === metadata.generation;
}
