export type Labels = Readonly<Record<string, string>>;

export interface MetricSpec {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

export interface Counter {
  increase(labels: Labels, by?: number): void;
}

export interface Gauge {
  set(labels: Labels, value: number): void;
}

export interface Histogram {
  observe(labels: Labels, value: number): void;
}

/** Where numbers go. One per process, handed in; nothing is registered at import time. */
export interface Metrics {
  counter(spec: MetricSpec): Counter;
  /** With `collect`, asked for its values whenever somebody reads the metrics. */
  gauge(spec: MetricSpec, collect?: (gauge: Gauge) => void): Gauge;
  histogram(spec: MetricSpec & { readonly buckets: readonly number[] }): Histogram;
  /** All of them, as Prometheus reads them. */
  expose(): Promise<{ readonly contentType: string; readonly body: string }>;
}

/** For where nobody reads them: tests, simulations. */
export const silentMetrics: Metrics = {
  counter: () => ({ increase: () => {} }),
  gauge: () => ({ set: () => {} }),
  histogram: () => ({ observe: () => {} }),
  expose: () => Promise.resolve({ contentType: "text/plain", body: "" }),
};
