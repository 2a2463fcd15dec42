import type { Clock } from "@chaski/clock";
import type { Judge } from "../judge.ts";
import { PolledJudge } from "../polled-judge.ts";
import { type Firing, firingAlerts } from "./answer.ts";
import { type PrometheusAccess, prometheusApi } from "./prometheus-api.ts";
import { alertQuery } from "./query.ts";

export interface PrometheusJudgeOptions {
  readonly clock: Clock;
  /** `prometheus-query-address`. */
  readonly address: string;
  /** `prometheus-query-ttl`: how long an answer counts before the next question. */
  readonly everyMs: number;
  /** `sync-period-seconds`: no question lasts longer. */
  readonly deadlineMs: number;
  readonly access: () => PrometheusAccess;
}

const EVERY_MIN_MS = 1_000;
/** Two questions must fit into the half minute that an answer counts. */
const EVERY_MAX_MS = 15_000;
const DEADLINE_MAX_MS = 10_000;

/** Fails what has firing alerts (§12.5). */
export function prometheusJudge(options: PrometheusJudgeOptions): Judge {
  const { clock, address, access } = options;
  const api = prometheusApi(address, access);
  const judge = new PolledJudge<Firing>({
    name: "prometheus",
    clock,
    everyMs: Math.min(EVERY_MAX_MS, Math.max(EVERY_MIN_MS, options.everyMs)),
    deadlineMs: Math.min(DEADLINE_MAX_MS, options.deadlineMs),
    questionFor: alertQuery,
    ask: (query, signal) => api.firing(query, signal),
    alertsIn: firingAlerts,
  });
  return {
    name: judge.name,
    evidenceOf: (subject) => judge.evidenceOf(subject),
    subscribe: (listener) => judge.subscribe(listener),
    stop: () => {
      judge.stop();
      void api.close();
    },
  };
}
