import { RealClock, systemRandom } from "@chaski/clock";
import type { Kind, KubeObject } from "@chaski/kube";
import type { KubeUser } from "@chaski/test/kube";
import {
  type CacheFact,
  type CacheOptions,
  type Client,
  connect,
  createCaches,
  kubeconfigFromData,
  type ReflectorTimings,
} from "../src/index.ts";
import { Story } from "./story.ts";

export const clock = new RealClock();

export async function clientOf(user: KubeUser): Promise<Client> {
  const connection = await kubeconfigFromData(Buffer.from(user.kubeconfig), user.name).connection();
  return connect(connection, { clock, random: systemRandom });
}

export interface RealCacheOptions<T extends KubeObject> extends CacheOptions<T> {
  readonly kind: Kind<T>;
  readonly user: KubeUser;
  readonly timings?: Partial<ReflectorTimings>;
  readonly isFrozen?: boolean;
}

/** A started cache of one kind on a real API server. */
export async function realCache<T extends KubeObject>({
  kind,
  user,
  timings,
  isFrozen = true,
  ...options
}: RealCacheOptions<T>) {
  const client = await clientOf(user);
  const facts: CacheFact[] = [];
  const story = new Story();
  const stop = new AbortController();
  const caches = createCaches({
    client,
    clock,
    random: systemRandom,
    isFrozen,
    report: (_, fact) => fact.type === "heard" || facts.push(fact),
    ...(timings && { timings }),
  });
  caches.declare(kind, options);
  const cache = caches.of(kind);
  cache.subscribe((event) => story.hear(event));
  caches.start(stop.signal);
  return {
    client,
    caches,
    cache,
    story,
    facts: <F extends CacheFact["type"]>(type: F) =>
      facts.filter((fact): fact is Extract<CacheFact, { type: F }> => fact.type === type),
    synced: () => caches.synced(AbortSignal.any([stop.signal])),
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error("the test is over"));
      await caches.stopped();
      await client.close();
    },
  };
}
