export { type Prometheus, type PrometheusOptions, startPrometheus } from "./start-prometheus.ts";
