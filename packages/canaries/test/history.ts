// One random life of a release: pods become ready and fail, people approve, retreat, scale and change the image, the
// operator is cut off in the middle of its writes.
import type { Canary, CanarySpec } from "@chaski/api";
import type { Random } from "@chaski/clock";
import { decideCanary } from "../src/index.ts";
import { canaryDeploy, deployment } from "./builders.ts";
import { ModelCluster } from "./model-cluster.ts";

const WILD_ROUNDS = 40;
const CALM_ROUNDS = 400;

/** What went wrong in one random history, in words; empty if nothing did. */
export function runHistory(random: Random): readonly string[] {
  const life = new Life(random);
  for (let step = 0; step < WILD_ROUNDS; step++) life.disturb();
  life.approveAll();
  for (let step = 0; step < CALM_ROUNDS && !isReady(life.cluster.canary); step++) life.calm();
  return [...life.faults, ...endFaults(life.cluster)];
}

class Life {
  readonly cluster: ModelCluster;
  readonly faults: string[] = [];
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
    const replicas = this.#pick(15);
    const spec = { replicas, totalBatches: 1 + this.#pick(6), pauseType: this.#pauseType() };
    const batchMode = this.#pick(2) === 0 ? ("article" as const) : ("even" as const);
    this.cluster = new ModelCluster(canaryDeploy({ ...spec, batchMode }), deployment("shop-v1", { replicas }));
  }

  disturb(): void {
    if (this.#pick(6) === 0) this.#changeSpec();
    if (this.#pick(8) === 0) this.cluster.failPods(() => this.#random() < 0.2);
    this.#pass(this.#pick(4) === 0 ? this.#pick(4) : Number.POSITIVE_INFINITY);
    if (this.#pick(3) > 0) this.cluster.observe();
    this.cluster.becomeReady(() => this.#random() < 0.5);
  }

  calm(): void {
    this.cluster.becomeReady(() => true);
    this.cluster.observe();
    this.#pass(Number.POSITIVE_INFINITY);
  }

  approveAll(): void {
    const { canary } = this.cluster;
    this.cluster.canary = withSpec(canary, { currentBatch: canary.spec.totalBatches ?? 1, pauseType: "None" });
  }

  #pass(writesMax: number): void {
    const lossesBefore = this.cluster.losses.length;
    this.cluster.take(decideCanary(this.cluster.world()), writesMax);
    this.faults.push(...lossFaults(this.cluster, lossesBefore));
    this.cluster.nowMs += 1_000;
  }

  #changeSpec(): void {
    const { canary } = this.cluster;
    const changes: readonly (() => Partial<CanarySpec>)[] = [
      () => ({ currentBatch: 1 + this.#pick(canary.spec.totalBatches ?? 1) }),
      () => ({ replicas: this.#pick(15) }),
      () => ({ image: `shop:${1 + this.#pick(4)}` }),
      () => ({ pauseType: this.#pauseType() }),
    ];
    this.cluster.canary = withSpec(canary, changes[this.#pick(changes.length)]?.() ?? {});
  }

  #pauseType(): "First" | "All" | "None" {
    return (["First", "All", "None"] as const)[this.#pick(3)] ?? "First";
  }

  #pick(below: number): number {
    return Math.floor(this.#random() * below);
  }
}

function endFaults(cluster: ModelCluster): string[] {
  const { canary } = cluster;
  const isShort = cluster.available() < (canary.spec.replicas ?? 0);
  return [
    ...(isReady(canary) ? [] : [`never finished: ${JSON.stringify(canary.status)}`]),
    ...(isShort ? [`ended with ${cluster.available()} available pods`] : []),
  ];
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

function withSpec(canary: Canary, spec: Partial<CanarySpec>): Canary {
  const generation = (canary.metadata.generation ?? 1) + 1;
  return { ...canary, metadata: { ...canary.metadata, generation }, spec: { ...canary.spec, ...spec } };
}

function isReady({ metadata, status }: Canary): boolean {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "True" && status?.observedGeneration === metadata.generation;
}
