import type { QueueObserver, WorkQueue } from "../queue/work-queue.ts";
import type { Gauge, Metrics } from "./metrics.ts";

/** Powers of ten from ten nanoseconds to a thousand seconds, as client-go has them. */
const SECONDS = Array.from({ length: 12 }, (_, power) => Number(`1e${power - 8}`));
const LABELS = ["name", "controller"];

export interface QueueMetrics {
  observer(controller: string): QueueObserver;
  /** Reads from the queue how long its work in hand has taken so far, whenever somebody reads the metrics. */
  watch(controller: string, queue: WorkQueue): void;
}

/** Under client-go's names, so that existing dashboards work. */
export function queueMetrics(metrics: Metrics): QueueMetrics {
  const queues = new Map<string, WorkQueue>();
  const depth = metrics.gauge({ name: "workqueue_depth", help: "Keys that wait in the queue", labels: LABELS });
  const adds = metrics.counter({ name: "workqueue_adds_total", help: "Keys added to the queue", labels: LABELS });
  const retries = metrics.counter({
    name: "workqueue_retries_total",
    help: "Keys added again after a failure",
    labels: LABELS,
  });
  const queued = metrics.histogram({
    name: "workqueue_queue_duration_seconds",
    help: "How long a key waited in the queue",
    labels: LABELS,
    buckets: SECONDS,
  });
  const worked = metrics.histogram({
    name: "workqueue_work_duration_seconds",
    help: "How long a key was worked on",
    labels: LABELS,
    buckets: SECONDS,
  });
  const fromHand = (read: (seconds: readonly number[]) => number) => (gauge: Gauge) => {
    for (const [name, queue] of queues) gauge.set(labelsOf(name), read([...queue.workedMs()].map((ms) => ms / 1_000)));
  };
  metrics.gauge(
    { name: "workqueue_unfinished_work_seconds", help: "Seconds of work in hand, summed", labels: LABELS },
    fromHand((seconds) => seconds.reduce((sum, each) => sum + each, 0)),
  );
  metrics.gauge(
    { name: "workqueue_longest_running_processor_seconds", help: "Age of the oldest work in hand", labels: LABELS },
    fromHand((seconds) => Math.max(0, ...seconds)),
  );
  return {
    observer: (controller) => {
      const labels = labelsOf(controller);
      return {
        onAdd: (count) => {
          adds.increase(labels);
          depth.set(labels, count);
        },
        onTake: (count, waitedMs) => {
          depth.set(labels, count);
          queued.observe(labels, waitedMs / 1_000);
        },
        onDone: (workedMs) => worked.observe(labels, workedMs / 1_000),
        onRetry: () => retries.increase(labels),
      };
    },
    watch: (controller, queue) => void queues.set(controller, queue),
  };
}

function labelsOf(controller: string): { name: string; controller: string } {
  return { name: controller, controller };
}
