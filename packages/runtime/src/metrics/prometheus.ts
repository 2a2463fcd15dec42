import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Gauge as OwnGauge, MetricSpec, Metrics } from "./metrics.ts";

/** Metrics on prom-client, with its `process_*` and `nodejs_*` defaults, in a registry of their own. */
export function prometheusMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const settings = ({ name, help, labels = [] }: MetricSpec) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  return {
    counter: (spec) => {
      const counter = new Counter(settings(spec));
      return { increase: (labels, by = 1) => counter.inc(labels, by) };
    },
    gauge: (spec, collect) => {
      const own: OwnGauge = { set: (labels, value) => gauge.set(labels, value) };
      const gauge: Gauge = new Gauge({
        ...settings(spec),
        ...(collect && { collect: () => collectInto(gauge, () => collect(own)) }),
      });
      return own;
    },
    histogram: (spec) => {
      const histogram = new Histogram({ ...settings(spec), buckets: [...spec.buckets] });
      return { observe: (labels, value) => histogram.observe(labels, value) };
    },
    expose: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

/** What is not told any more is gone. */
function collectInto(gauge: Gauge, collect: () => void): void {
  gauge.reset();
  collect();
}
