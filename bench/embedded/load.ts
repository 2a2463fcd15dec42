// The same load for every server.
import { Requests } from "@chaski/embedded/conformance";
import type { Transport } from "@chaski/kube";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const IN_FLIGHT = 16;
const WATCHERS = 100;

export interface Measured {
  readonly createsPerSecond: number;
  readonly appliesPerSecond: number;
  readonly listMs: number;
  readonly fanOutEventsPerSecond: number;
}

export async function measure(transport: Transport, scale: number): Promise<Measured> {
  const api = new Requests(transport);
  const count = (full: number): number => Math.max(20, Math.round(full * scale));
  const createsPerSecond = await perSecond(count(10_000), (index) =>
    api.post(CONFIG_MAPS, { metadata: { name: `bench-${index}` }, data: { index: `${index}` } }),
  );
  const appliesPerSecond = await perSecond(count(1_000), (index) =>
    api.apply(`${DEPLOYMENTS}/bench-${index}?fieldManager=bench&force=true`, deployment(`bench-${index}`)),
  );
  const listMs = await fastestMs(5, () => api.get(CONFIG_MAPS));
  return { createsPerSecond, appliesPerSecond, listMs, fanOutEventsPerSecond: await fanOut(api, count(500)) };
}

async function perSecond(count: number, send: (index: number) => Promise<{ status: number }>): Promise<number> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const { status } = await send(next++);
      if (status >= 300) throw new Error(`answered with ${status}`);
    }
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  return (1_000 * count) / (performance.now() - startMs);
}

async function fastestMs(rounds: number, run: () => Promise<unknown>): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const startMs = performance.now();
    await run();
    fastest = Math.min(fastest, performance.now() - startMs);
  }
  return fastest;
}

/** From the first write until every watcher has seen the last. */
async function fanOut(api: Requests, changes: number): Promise<number> {
  const { body } = await api.get(`${CONFIG_MAPS}?limit=1`);
  const from = `${CONFIG_MAPS}?watch=1&resourceVersion=${body.metadata.resourceVersion}`;
  const stop = new AbortController();
  const watchers = Array.from({ length: WATCHERS }, async () => {
    let seen = 0;
    for await (const _ of api.watch(from, stop.signal)) if (++seen === changes) return;
  });
  const startMs = performance.now();
  for (let index = 0; index < changes; index++)
    await api.merge(`${CONFIG_MAPS}/bench-0`, { data: { index: `x${index}` } });
  await Promise.all(watchers);
  stop.abort();
  return (1_000 * changes * WATCHERS) / (performance.now() - startMs);
}

function deployment(name: string): object {
  const labels = { app: name };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: "main", image: "nginx:1.27", ports: [{ containerPort: 80 }] }] },
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels },
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  };
}
