// How soon the operator acts: one app on a fleet that is otherwise idle.
import { ReleaseManager, Revision } from "@chaski/api";
import { Namespace } from "@chaski/kube";
import { VirtualService } from "@chaski/releases";
import { until } from "@chaski/test/kube";
import { percentile } from "../runtime/percentile.ts";
import type { FleetGround } from "./ground.ts";
import { NAMESPACE, placeOf, type Release, revisionOf, tagOf } from "./objects.ts";
import { startOperator } from "./operator.ts";
import { RouteWatch } from "./route-watch.ts";

const APP = "echo";
/** Half at once, and no more: what was there before has the pods to take it back. */
const HALF = { ramp: { start: 50, factor: 2, delay: "0s" }, maxPercent: 50 };
const ALL = { ramp: { start: 100, factor: 2, delay: "0s" } };
/** Rounds that count for nobody: an operator runs for weeks, and V8 compiles what is called often. */
const WARM_UP = 30;
const IDLE_PATCHES = 5;

/** Each also beside a PATCH that was sent at the same moment: pods that become ready keep the control planes busy. */
export interface Latencies {
  /** From the last ReplicaSet ready to the last VirtualService written. */
  readonly readyToRoutedMs: readonly number[];
  readonly patchWhenReadyMs: readonly number[];
  /** From just before the Revision is marked failed to weight 0 on every cluster. */
  readonly failedToUnroutedMs: readonly number[];
  readonly patchWhenFailedMs: readonly number[];
  /** While nothing happens. */
  readonly patchWhenIdleMs: readonly number[];
}

export async function measureLatencies(
  ground: FleetGround,
  count: number,
  log: (line: string) => void,
): Promise<Latencies> {
  await using _operator = await startOperator(ground, "100ms");
  using watch = await RouteWatch.open(ground.targets, placeOf(APP));
  await create(ground, 1, ALL);
  await watch.until(tagOf(1), "routed");
  const patch = await barePatch(ground);
  const rounds: Round[] = [];
  for (let round = 2; round < 2 + WARM_UP + count; round++) rounds.push(await ramp(ground, watch, { round, patch }));
  const all = latenciesOf(rounds.slice(WARM_UP));
  for (const [name, values] of Object.entries(all))
    log(
      `${name}: ${[50, 90, 99].map((percent) => `p${percent} ${percentile(values, percent).toFixed(1)} ms`).join(", ")}`,
    );
  return all;
}

interface Round {
  readonly readyToRoutedMs: number;
  readonly patchWhenReadyMs: number;
  readonly failedToUnroutedMs: number;
  readonly patchWhenFailedMs: number;
  readonly patchWhenIdleMs: readonly number[];
}

interface Ramp {
  readonly round: number;
  readonly patch: Patch;
}

async function ramp(ground: FleetGround, watch: RouteWatch, { round, patch }: Ramp): Promise<Round> {
  const [tag, key] = [tagOf(round), { namespace: NAMESPACE, name: `${APP}-${tagOf(round)}` }];
  const revisions = ground.delivery.of(Revision);
  await create(ground, round, HALF);
  const readyMs = await watch.until(tag, "ready");
  const [patchWhenReadyMs, routedMs] = await Promise.all([patch(), watch.until(tag, "routed")]);
  await untilIdle(ground, tag);
  const patchWhenIdleMs: number[] = [];
  for (let turn = 0; turn < IDLE_PATCHES; turn++) patchWhenIdleMs.push(await patch());
  const failedMs = performance.now();
  const failing = revisions.patch(key, "merge", { spec: { failed: true } });
  const [patchWhenFailedMs, unroutedMs] = await Promise.all([patch(), watch.until(tag, "unrouted"), failing]);
  await revisions.delete(key);
  await untilForgotten(ground, tag);
  return {
    readyToRoutedMs: routedMs - readyMs,
    patchWhenReadyMs,
    failedToUnroutedMs: unroutedMs - failedMs,
    patchWhenFailedMs,
    patchWhenIdleMs,
  };
}

function latenciesOf(rounds: readonly Round[]): Latencies {
  return {
    readyToRoutedMs: rounds.map((round) => round.readyToRoutedMs),
    patchWhenReadyMs: rounds.map((round) => round.patchWhenReadyMs),
    failedToUnroutedMs: rounds.map((round) => round.failedToUnroutedMs),
    patchWhenFailedMs: rounds.map((round) => round.patchWhenFailedMs),
    patchWhenIdleMs: rounds.flatMap((round) => round.patchWhenIdleMs),
  };
}

type Traffic = Pick<Release, "ramp" | "maxPercent">;

async function create({ delivery, targets }: FleetGround, round: number, traffic: Traffic): Promise<void> {
  await delivery.of(Revision).create(revisionOf({ app: APP, round, clusters: targets.length, ...traffic }));
}

const OFTEN = { everyMs: 50, withinMs: 120_000 };

/** The split was seen everywhere, and that was told. */
async function untilIdle(ground: FleetGround, tag: string): Promise<void> {
  const isSeen = async (): Promise<true | undefined> => {
    const { status } = await releaseManager(ground);
    const clusters = status?.clusters ?? [];
    const isEverywhere = clusters.every(({ revisions = [] }) =>
      revisions.some((entry) => entry.tag === tag && (entry.percent ?? 0) > 0),
    );
    return (clusters.length === ground.targets.length && isEverywhere) || undefined;
  };
  await until(isSeen, { what: `${tag} is seen everywhere`, ...OFTEN });
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

/** Longer than wake-ups are gathered for. */
const SETTLE_MS = 200;

async function untilForgotten(ground: FleetGround, tag: string): Promise<void> {
  const isForgotten = async (): Promise<true | undefined> => {
    const { status } = await releaseManager(ground);
    return status?.revisions?.some((entry) => entry.tag === tag) ? undefined : true;
  };
  await until(isForgotten, { what: `${tag} is forgotten`, ...OFTEN });
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

function releaseManager({ delivery }: FleetGround): Promise<ReleaseManager> {
  return delivery.of(ReleaseManager).get({ namespace: NAMESPACE, name: placeOf(APP) });
}

type Patch = () => Promise<number>;

/** What somebody who moves traffic by hand would do, with nothing to watch and nothing to decide. */
async function barePatch({ bare }: FleetGround): Promise<Patch> {
  const key = { namespace: "bare", name: "bare" };
  let turn = 0;
  const httpOf = (weight: number) => [{ name: "01_release-http", route: routes(weight) }];
  await bare.of(Namespace).create({ apiVersion: "v1", kind: "Namespace", metadata: { name: key.namespace } });
  await bare.of(VirtualService).create({
    apiVersion: "networking.istio.io/v1alpha3",
    kind: "VirtualService",
    metadata: key,
    spec: { hosts: ["bare"], http: httpOf(50) },
  });
  return async () => {
    const http = httpOf(51 + (turn++ % 2));
    const startMs = performance.now();
    await bare.of(VirtualService).patch(key, "merge", { spec: { http } });
    return performance.now() - startMs;
  };
}

function routes(weight: number) {
  return [
    { destination: { host: "bare", subset: "r1" }, weight: 100 - weight },
    { destination: { host: "bare", subset: "r2" }, weight },
  ];
}
