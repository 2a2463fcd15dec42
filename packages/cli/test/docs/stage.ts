// The fleet of `npm start` at the end of its story: v2 serves, v3 was rolled back, a Canary waits for approval.
import { Canary, ReleaseManager } from "@chaski/api";
import { type Clock, RealClock } from "@chaski/clock";
import { Deployment } from "@chaski/kube";
import { type Client, NotFound } from "@chaski/runtime";
import { until } from "@chaski/test/kube";
import { type DemoFleet, startFleet } from "../../src/demo/fleet.ts";
import { APP, CANARY, NAMESPACE, NEWER, OLDER, TARGET } from "../../src/demo/objects.ts";
import { startOperator } from "../../src/demo/operator.ts";
import { startPrometheus } from "../../src/demo/prometheus.ts";
import { BAD_TAG, type Scene, story } from "../../src/demo/story.ts";
import { Traffic } from "../../src/demo/traffic.ts";

const CLUSTERS = 3;
const WITHIN_MS = 60_000;

export interface DemoStage extends AsyncDisposable {
  /** Files that the pages suppose a reader to have. */
  readonly files: Readonly<Record<string, string>>;
}

export async function demoStage(): Promise<DemoStage> {
  const clock = new RealClock();
  const stack = new AsyncDisposableStack();
  const fleet = stack.adopt(await startFleet(clock, CLUSTERS, 50), (each) => each.close());
  const traffic = new Traffic(fleet.targets, clock, (tag) => (tag === BAD_TAG ? 0.2 : 0.001));
  const prometheus = stack.use(await startPrometheus(traffic));
  const stop = new AbortController();
  const users = traffic.run(stop.signal);
  stack.defer(async () => {
    stop.abort();
    await users;
  });
  stack.use(
    await startOperator(fleet.delivery.cluster, { clock, warn: console.warn, prometheusAddress: prometheus.address }),
  );
  await play(fleet.delivery.client, clock);
  return { files: filesOf(fleet), [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

function filesOf({ kubeconfig, targets }: DemoFleet): DemoStage["files"] {
  const another = targets[0]?.name ?? "";
  return { "delivery.yaml": kubeconfig, "staging.yaml": kubeconfig.replaceAll(another, "staging-a") };
}

/** Commits are a second apart: of two in the same second neither is the newer one. */
function commitMs(clock: Clock, index: number): number {
  return clock.now() - (story.length - index) * 1_000;
}

/** At speed; only what has to be found out to be bad needs its time. */
async function play(client: Client, clock: Clock): Promise<void> {
  for (const [index, step] of story.entries()) {
    const delayMs = step.news.startsWith(BAD_TAG) ? 15_000 : 200;
    const stage = { client, clusters: CLUSTERS, delayMs, isUnattended: false, now: () => commitMs(clock, index) };
    await step.begin(stage, await look(client));
    const isThere = async (): Promise<true | undefined> => {
      const scene = await look(client);
      return step.isDone(scene) || scene.canary?.status?.paused || undefined;
    };
    await until(isThere, { what: step.news, withinMs: WITHIN_MS });
  }
}

async function look(client: Client): Promise<Scene> {
  const key = (name: string) => ({ namespace: NAMESPACE, name });
  const [release, canary, older, newer] = await Promise.all([
    client
      .of(ReleaseManager)
      .get(key(`${APP}-${TARGET}`))
      .catch(absent),
    client.of(Canary).get(key(CANARY)).catch(absent),
    client.of(Deployment).get(key(OLDER)).catch(absent),
    client.of(Deployment).get(key(NEWER)).catch(absent),
  ]);
  return { release, canary, older, newer };
}

function absent(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}
