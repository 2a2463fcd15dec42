export { prometheusBinary } from "./binary.ts";
export { type Prometheus, type PrometheusOptions, startPrometheus } from "./start-prometheus.ts";
