// The same load for every server. What a server does first it does slowly, so a part of each kind of write goes ahead
// and is not timed.
import type { LoadClient, LoadRequest } from "./client.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const IN_FLIGHT = 16;
const WATCHERS = 100;
const AHEAD = 0.05;

export interface Measured {
  readonly createsPerSecond: number;
  readonly appliesPerSecond: number;
  readonly listMs: number;
  readonly fanOutEventsPerSecond: number;
}

export interface Load {
  readonly scale: number;
  /** Told how busy the client was: it must not be what is measured. */
  readonly log: (line: string) => void;
}

export async function measure(client: LoadClient, { scale, log }: Load): Promise<Measured> {
  const count = (full: number): number => Math.max(20, Math.round(full * scale));
  const busy = async <T>(what: string, run: () => Promise<T>): Promise<T> => {
    const [startMs, before] = [performance.now(), process.cpuUsage()];
    const result = await run();
    const { user, system } = process.cpuUsage(before);
    log(`  ${what}: this process used ${Math.round((user + system) / 10 / (performance.now() - startMs))} % of a core`);
    return result;
  };
  return {
    createsPerSecond: await busy("creates", () => perSecond(client, count(10_000), create)),
    appliesPerSecond: await busy("applies", () => perSecond(client, count(5_000), apply)),
    listMs: await fastestMs(5, () => client.send({ method: "GET", path: CONFIG_MAPS })),
    fanOutEventsPerSecond: await busy("watchers", () => fanOut(client, count(500))),
  };
}

function create(index: number): LoadRequest {
  const body = { metadata: { name: `bench-${index}` }, data: { index: `${index}` } };
  return { method: "POST", path: CONFIG_MAPS, body: JSON.stringify(body) };
}

function apply(index: number): LoadRequest {
  return {
    method: "PATCH",
    path: `${DEPLOYMENTS}/bench-${index}?fieldManager=bench&force=true`,
    contentType: "application/apply-patch+yaml",
    body: JSON.stringify(deployment(`bench-${index}`)),
  };
}

async function perSecond(client: LoadClient, count: number, request: (index: number) => LoadRequest): Promise<number> {
  const ahead = Math.round(AHEAD * count);
  await sendAll(client, { from: 0, to: ahead, request });
  const startMs = performance.now();
  await sendAll(client, { from: ahead, to: count, request });
  return (1_000 * (count - ahead)) / (performance.now() - startMs);
}

interface Batch {
  readonly from: number;
  readonly to: number;
  readonly request: (index: number) => LoadRequest;
}

async function sendAll(client: LoadClient, { from, to, request }: Batch): Promise<void> {
  let next = from;
  const work = async (): Promise<void> => {
    while (next < to) await sendOne(client, request(next++));
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

async function sendOne(client: LoadClient, request: LoadRequest): Promise<Buffer> {
  const { status, body } = await client.send(request);
  if (status >= 300) throw new Error(`answered with ${status}: ${body.toString()}`);
  return body;
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
async function fanOut(client: LoadClient, changes: number): Promise<number> {
  const list = await sendOne(client, { method: "GET", path: `${CONFIG_MAPS}?limit=1` });
  const { resourceVersion } = (JSON.parse(list.toString()) as { metadata: { resourceVersion: string } }).metadata;
  let missing = changes * WATCHERS;
  const { promise: seenAll, resolve } = Promise.withResolvers<void>();
  const onEvents = (count: number): void => {
    missing -= count;
    if (missing === 0) resolve();
  };
  const path = `${CONFIG_MAPS}?watch=1&resourceVersion=${resourceVersion}`;
  await Promise.all(Array.from({ length: WATCHERS }, () => client.watch(path, onEvents)));
  const startMs = performance.now();
  for (let index = 0; index < changes; index++)
    await sendOne(client, {
      method: "PATCH",
      path: `${CONFIG_MAPS}/bench-0`,
      contentType: "application/merge-patch+json",
      body: JSON.stringify({ data: { index: `x${index}` } }),
    });
  await seenAll;
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
