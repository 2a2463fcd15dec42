// How soon the operator acts: one app on a fleet that is otherwise idle.
import { Revision } from "@chaski/api";
import { Namespace, Node } from "@chaski/kube";
import { VirtualService } from "@chaski/releases";
import type { Client } from "@chaski/runtime";
import { percentile } from "../runtime/percentile.ts";
import type { FleetGround } from "./ground.ts";
import { NAMESPACE, placeOf, type Release, revisionOf, tagOf } from "./objects.ts";
import { startOperator } from "./operator.ts";
import { RouteWatch } from "./route-watch.ts";

const APP = "echo";
/** Half at once, and no more: what was there before has the pods to take it back. */
const HALF = { ramp: { start: 50, factor: 2, delay: "0s" }, maxPercent: 50 };
const ALL = { ramp: { start: 100, factor: 2, delay: "0s" } };
const WARM_UP = 10;

export interface Latencies {
  /** Of a VirtualService like the app's, by a client that does nothing else: one in every round, on every target. */
  readonly patchMs: readonly number[];
  /** From the last ReplicaSet ready, when all others have been for a while, to the last VirtualService written. */
  readonly readyToRoutedMs: readonly number[];
  /** From the Revision marked failed to weight 0 on every cluster. As the other: from what a watch saw to what it saw. */
  readonly failedToUnroutedMs: readonly number[];
}

export async function measureLatencies(
  ground: FleetGround,
  rounds: number,
  log: (line: string) => void,
): Promise<Latencies> {
  await using _operator = await startOperator(ground, "100ms");
  using watch = await RouteWatch.open(ground, placeOf(APP));
  await create(ground, 1, ALL);
  await watch.untilRouted(tagOf(1));
  const patches = await Promise.all(ground.bare.map(barePatch));
  const [patchMs, readyToRoutedMs, failedToUnroutedMs]: [number[], number[], number[]] = [[], [], []];
  for (let round = 2; round < 2 + WARM_UP + rounds; round++) {
    const ramped = await ramp(ground, watch, round);
    const patchedMs: number[] = [];
    for (const [cluster, patch] of patches.entries()) {
      patchedMs.push(await patch(ramped.routes[cluster]));
      await settle();
    }
    if (round < 2 + WARM_UP) continue;
    readyToRoutedMs.push(ramped.readyToRoutedMs);
    failedToUnroutedMs.push(ramped.failedToUnroutedMs);
    patchMs.push(...patchedMs);
  }
  const all = { patchMs, readyToRoutedMs, failedToUnroutedMs };
  for (const [name, values] of Object.entries(all))
    log(
      `${name}: ${[50, 90, 99].map((percent) => `p${percent} ${percentile(values, percent).toFixed(1)} ms`).join(", ")}`,
    );
  return all;
}

async function ramp(ground: FleetGround, watch: RouteWatch, round: number) {
  const [tag, key] = [tagOf(round), { namespace: NAMESPACE, name: `${APP}-${tagOf(round)}` }];
  const revisions = ground.delivery.of(Revision);
  const letStart = await holdLastCluster(ground);
  await create(ground, round, HALF);
  await watch.untilReady(tag, ground.targets.length - 1);
  await settle();
  await letStart();
  const readyToRoutedMs = await watch.untilRouted(tag);
  const routes = await Promise.all(ground.bare.map(liveRoute));
  await watch.untilReported(tag);
  await settle();
  await revisions.patch(key, "merge", { spec: { failed: true } });
  const failedToUnroutedMs = await watch.untilUnrouted(tag);
  await revisions.delete(key);
  await watch.untilForgotten(tag);
  await settle();
  return { readyToRoutedMs, failedToUnroutedMs, routes };
}

type Traffic = Pick<Release, "ramp" | "maxPercent">;

/** Its new pods find no node until the returned function is called: then nothing else happens on the fleet. */
async function holdLastCluster({ targets }: FleetGround): Promise<() => Promise<void>> {
  const nodes = targets.at(-1)?.client.of(Node);
  const cordon = async (unschedulable: boolean): Promise<void> => {
    const { items = [] } = (await nodes?.list()) ?? {};
    for (const { metadata } of items) await nodes?.patch({ name: metadata.name }, "merge", { spec: { unschedulable } });
  };
  await cordon(true);
  return () => cordon(false);
}

async function create({ delivery, targets }: FleetGround, round: number, traffic: Traffic): Promise<void> {
  await delivery.of(Revision).create(revisionOf({ app: APP, round, clusters: targets.length, ...traffic }));
}

/** Longer than wake-ups and reports are gathered for. */
const SETTLE_MS = 1_200;

/** Whatever is measured begins on an idle fleet: the bare PATCH, too. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

type Route = Awaited<ReturnType<typeof liveRoute>>;

/** As the operator has written it. */
function liveRoute(client: Client) {
  return client.of(VirtualService).get({ namespace: placeOf(APP), name: APP });
}

/** What somebody who moves the same traffic by hand would do, with nothing to watch and nothing to decide. */
async function barePatch(client: Client): Promise<(like: Route | undefined) => Promise<number>> {
  const key = { namespace: "bare", name: APP };
  const virtualServices = client.of(VirtualService);
  await client.of(Namespace).create({ apiVersion: "v1", kind: "Namespace", metadata: { name: key.namespace } });
  await virtualServices.create({ ...(await liveRoute(client)), metadata: key });
  return async (like) => {
    const startMs = performance.now();
    await virtualServices.patch(key, "merge", { spec: { http: like?.spec?.["http"] } });
    return performance.now() - startMs;
  };
}
