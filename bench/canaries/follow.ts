import { RealClock, systemRandom } from "@chaski/clock";
import type { Kind, KubeObject } from "@chaski/kube";
import { type Client, createCaches } from "@chaski/runtime";

const PATIENCE_MS = 1_800_000;
const PROGRESS_MS = 10_000;

export interface Following extends Disposable {
  /** Resolves when as many objects as were announced have arrived. */
  readonly arrived: Promise<void>;
}

export interface FollowOptions {
  readonly client: Client;
  readonly kind: Kind;
  /** Of all, if none is named; names are told apart by themselves. */
  readonly namespace?: string;
  readonly count: number;
  /** Called with every object that came or changed; true when it has arrived. */
  readonly look: (object: Readonly<KubeObject>) => boolean;
  readonly log: (line: string) => void;
}

/** Watches objects of one kind until so many have arrived. */
export async function follow({ client, kind, namespace, count, look, log }: FollowOptions): Promise<Following> {
  const clock = new RealClock();
  const caches = createCaches({ client, clock, random: systemRandom });
  const stop = new AbortController();
  const arrivals = new Set<string>();
  const all = Promise.withResolvers<void>();
  caches.declare<KubeObject>(kind, namespace === undefined ? {} : { namespace });
  caches.of(kind).subscribe(({ type, object }) => {
    if (type === "deleted" || !look(object)) return;
    arrivals.add(object.metadata.name);
    if (arrivals.size === count) all.resolve();
  });
  caches.start(stop.signal);
  await caches.synced(stop.signal);
  const patience = clock.after(PATIENCE_MS, () =>
    all.reject(new Error(`${arrivals.size} of ${count} ${kind.plural} have arrived within ${PATIENCE_MS} ms`)),
  );
  const progress = setInterval(() => log(`${arrivals.size} of ${count} ${kind.plural}`), PROGRESS_MS);
  return {
    arrived: all.promise,
    [Symbol.dispose]: () => {
      clearInterval(progress);
      patience.cancel();
      stop.abort();
    },
  };
}
