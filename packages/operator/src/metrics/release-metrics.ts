// The metrics of the releases wing, under the replaced operator's names (§13, D-47). What stands still is read from the
// caches when somebody scrapes, so that nothing is told about what is gone; latencies are counted when they first appear.
import { type IncarnationStatus, ReleaseManager, Revision } from "@chaski/api";
import type { Clock } from "@chaski/clock";
import { timeMs } from "@chaski/kube";
import { RELEASE_STATES } from "@chaski/releases";
import type { Caches, Gauge, Histogram, Metrics, Runtime } from "@chaski/runtime";
import { LATENCIES } from "./latencies.ts";

const RECONCILE_INTERVALS = [10, 15, 20, 30, 45, 60, 90, 120];

export function releaseMetrics(runtime: Pick<Runtime, "metrics" | "fleet" | "isLeading">, clock: Clock): Disposable {
  const caches = runtime.fleet.clusters[0]?.caches;
  if (!caches) throw new Error("a fleet has at least the delivery cluster");
  tellStandings(runtime.metrics, caches, clock);
  const observe = latencyObserver(runtime.metrics);
  const stop = caches.of(ReleaseManager).subscribe((event) => {
    if (event.type === "updated" && runtime.isLeading) observe(event.old, event.object);
  });
  return { [Symbol.dispose]: stop };
}

export function mirrorFailures(metrics: Metrics): (app: string, mirror: string) => void {
  const counter = metrics.counter({
    name: "picchu_mirror_failure_counter",
    help: "Attempts to mirror a Revision that failed.",
    labels: ["app", "mirror"],
  });
  return (app, mirror) => counter.increase({ app, mirror });
}

function tellStandings(metrics: Metrics, caches: Caches, clock: Clock): void {
  const gauge = (name: string, help: string, labels: readonly string[], tell: (into: Gauge) => void): void => {
    metrics.gauge({ name, help, labels }, tell);
  };
  const perRelease = (tell: (release: Release) => void): void =>
    caches.of(ReleaseManager).list().map(releaseOf).forEach(tell);

  gauge("picchu_revision_release_weight", "Percent of traffic.", ["app", "target", "tag"], (into) =>
    perRelease(({ labels, entries }) =>
      entries.forEach(({ tag, currentPercent }) => into.set({ ...labels, tag }, currentPercent)),
    ),
  );
  gauge("picchu_incarnation_count", "Revisions by state.", ["app", "target", "state"], (into) =>
    perRelease(({ labels, entries }) =>
      RELEASE_STATES.forEach((state) => into.set({ ...labels, state }, inState(entries, state).length)),
    ),
  );
  gauge(
    "picchu_revision_oldest_age_seconds",
    "For how long the revision that has been in a state the longest is in it.",
    ["app", "target", "state", "revision"],
    (into) =>
      perRelease(({ labels, entries }) =>
        RELEASE_STATES.forEach((state) => {
          const oldest = oldestOf(inState(entries, state), clock.now());
          if (oldest) into.set({ ...labels, state, revision: oldest.tag }, oldest.ageSeconds);
        }),
      ),
  );
  gauge("picchu_revision_failed", "1 for a revision that is marked failed.", ["app", "tag"], (into) =>
    caches
      .of(Revision)
      .list()
      .forEach(({ spec: { app, failed } }) => into.set({ app: app.name, tag: app.tag }, failed ? 1 : 0)),
  );
}

interface Release {
  readonly labels: { readonly app: string; readonly target: string };
  readonly entries: readonly IncarnationStatus[];
}

function releaseOf({ spec: { app, target }, status }: Readonly<ReleaseManager>): Release {
  return { labels: { app, target }, entries: status?.revisions ?? [] };
}

function inState(entries: readonly IncarnationStatus[], state: string): readonly IncarnationStatus[] {
  return entries.filter((entry) => entry.state.current.toLowerCase() === state);
}

function oldestOf(entries: readonly IncarnationStatus[], nowMs: number) {
  const aged = entries.flatMap(({ tag, state }) => {
    const sinceMs = timeMs(state.lastUpdated);
    return sinceMs === undefined ? [] : [{ tag, ageSeconds: Math.max(0, (nowMs - sinceMs) / 1_000) }];
  });
  return aged.toSorted((a, b) => b.ageSeconds - a.ageSeconds)[0];
}

function latencyObserver(metrics: Metrics): (old: Readonly<ReleaseManager>, release: Readonly<ReleaseManager>) => void {
  const labels = ["app", "target"];
  const interval = metrics.histogram({
    name: "picchu_release_manager_reconcile_interval",
    help: "Seconds between two changes of a ReleaseManager's status.",
    labels,
    buckets: RECONCILE_INTERVALS,
  });
  const latencies = LATENCIES.map(({ field, ...spec }) => ({
    field,
    histogram: metrics.histogram({ ...spec, labels }),
  }));
  return (old, release) => {
    observeInterval(interval, old, release);
    const before = new Map(releaseOf(old).entries.map((entry) => [entry.tag, entry]));
    const { labels: own, entries } = releaseOf(release);
    for (const { tag, metrics: measured = {} } of entries) {
      for (const { field, histogram } of latencies) {
        const seconds = measured[field];
        if (seconds !== undefined && before.get(tag)?.metrics?.[field] === undefined) histogram.observe(own, seconds);
      }
    }
  };
}

function observeInterval(interval: Histogram, old: Readonly<ReleaseManager>, release: Readonly<ReleaseManager>): void {
  const [beforeMs, nowMs] = [timeMs(old.status?.lastUpdated), timeMs(release.status?.lastUpdated)];
  if (beforeMs !== undefined && nowMs !== undefined && nowMs > beforeMs)
    interval.observe(releaseOf(release).labels, (nowMs - beforeMs) / 1_000);
}
