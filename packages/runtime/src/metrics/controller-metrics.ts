import type { PassObserver } from "../controller/controller-loop.ts";
import type { Outcome } from "../controller/outcome.ts";
import type { Metrics } from "./metrics.ts";

const SECONDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** Our outcomes in controller-runtime's words. */
const RESULT: Readonly<Record<Outcome["type"], string>> = {
  done: "success",
  changed: "requeue",
  wakeAt: "requeue_after",
  wait: "requeue_after",
  retry: "error",
  stalled: "error",
};

/** Under controller-runtime's names, so that existing dashboards work. */
export function controllerMetrics(metrics: Metrics): (controller: string) => PassObserver {
  const labels = ["controller"];
  const total = metrics.counter({
    name: "controller_runtime_reconcile_total",
    help: "Passes by controller and result",
    labels: ["controller", "result"],
  });
  const errors = metrics.counter({
    name: "controller_runtime_reconcile_errors_total",
    help: "Passes that failed",
    labels,
  });
  const terminal = metrics.counter({
    name: "controller_runtime_terminal_reconcile_errors_total",
    help: "Passes that ended stalled: no retry until the object changes",
    labels,
  });
  const seconds = metrics.histogram({
    name: "controller_runtime_reconcile_time_seconds",
    help: "How long a pass took",
    labels,
    buckets: SECONDS,
  });
  const active = metrics.gauge({
    name: "controller_runtime_active_workers",
    help: "Workers that have a pass in hand",
    labels,
  });
  const workers = metrics.gauge({
    name: "controller_runtime_max_concurrent_reconciles",
    help: "How many passes may run side by side",
    labels,
  });
  return (controller) => {
    let activeCount = 0;
    for (const result of new Set(Object.values(RESULT))) total.increase({ controller, result }, 0);
    for (const counter of [errors, terminal]) counter.increase({ controller }, 0);
    return {
      onWorkers: (count) => workers.set({ controller }, count),
      onPassStart: () => active.set({ controller }, ++activeCount),
      onPassEnd: (outcome, tookMs) => {
        active.set({ controller }, --activeCount);
        seconds.observe({ controller }, tookMs / 1_000);
        total.increase({ controller, result: RESULT[outcome] });
        if (RESULT[outcome] === "error") errors.increase({ controller });
        if (outcome === "stalled") terminal.increase({ controller });
      },
    };
  };
}
