import { createCaches } from "../cache/caches.ts";
import type { CacheReport } from "../cache/report.ts";
import { LOCAL_CLUSTER } from "../clusters/cluster.ts";
import type { ClusterDefinition } from "../clusters/definition.ts";
import { type CachesFactory, LiveCluster, type LiveClusterSettings } from "../clusters/live-cluster.ts";
import { ClusterRegistry } from "../clusters/registry.ts";
import { sourceDeclarations } from "../clusters/source.ts";
import type { CacheDeclaration } from "../clusters/cache-declaration.ts";
import { declareCaches } from "../controller/declarations.ts";
import { fencedTransport } from "../leader/fenced-transport.ts";
import type { Logger } from "../log/logger.ts";
import { clientMetrics } from "../metrics/client-metrics.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { isObserving, type RuntimeOptions } from "./runtime.ts";

/** Stands for any of them. */
const REMOTE = "remote";

export interface RunningClusters {
  readonly delivery: LiveCluster;
  readonly registry: ClusterRegistry;
  set(definitions: readonly ClusterDefinition[]): void;
  stop(): Promise<void>;
}

/** The delivery cluster and the remote ones, each with what the controllers read there. Only the leader writes. */
export function startClusters(options: RuntimeOptions, metrics: Metrics): RunningClusters {
  const { clock, random, name, rateLimit, leadership, log } = options;
  const cachesOn = (cluster: string): CachesFactory =>
    cachesOf(options, declareCaches(options.controllers, cluster, sourceDeclarations(options.clusters)));
  const settings = {
    clock,
    random,
    userAgent: name,
    ...(rateLimit && { rateLimit }),
    onRequest: clientMetrics(metrics),
    report: reportTo(log),
    onRotationFailed: (cluster: string, error: unknown) => log.warn("new credentials do not work", { cluster, error }),
  } satisfies Partial<LiveClusterSettings>;
  const mayWrite = (): boolean => !isObserving(options) && leadership.isLeading();
  const fenced = (definition: ClusterDefinition): ClusterDefinition => ({
    ...definition,
    open: () => {
      const link = definition.open();
      return { ...link, transport: fencedTransport(link.transport, mayWrite) };
    },
  });
  const { name: _, ...link } = options.delivery;
  const delivery = new LiveCluster(
    fenced({ name: LOCAL_CLUSTER, identity: LOCAL_CLUSTER, fingerprint: LOCAL_CLUSTER, open: () => link }),
    { ...settings, createCaches: cachesOn(LOCAL_CLUSTER), onChange: () => {} },
  );
  const registry = new ClusterRegistry(delivery, { ...settings, createCaches: cachesOn(REMOTE) });
  return {
    delivery,
    registry,
    set: (definitions) => registry.set(definitions.map(fenced)),
    stop: async () => {
      await registry.stop();
      await delivery.stop();
    },
  };
}

function cachesOf(options: RuntimeOptions, declarations: readonly CacheDeclaration[]): CachesFactory {
  const { clock, random, isFrozen = false } = options;
  return (client, report) => {
    const caches = createCaches({ client, clock, random, report, isFrozen });
    for (const declaration of declarations) caches.declare(declaration.kind, declaration.options);
    return caches;
  };
}

function reportTo(log: Logger): CacheReport {
  return ({ cluster, kind }, fact) => {
    const fields = { cluster, kind: kind.kind };
    if (fact.type === "failed") log.warn("a watch failed", { ...fields, error: fact.error, retryInMs: fact.retryInMs });
    if (fact.type === "not served") log.info("the cluster does not serve the kind yet", fields);
    if (fact.type === "malformed object") log.warn("an object was skipped", { ...fields, error: fact.error });
    if (fact.type === "handler failed") log.error("a cache's handler failed", { ...fields, error: fact.error });
  };
}
