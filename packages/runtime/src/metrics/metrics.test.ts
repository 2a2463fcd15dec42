import { VirtualClock } from "@chaski/clock";
import { afterEach, expect, test } from "vitest";
import { boat, boatController, sailing, stopAll } from "../../test/doubles/boats.ts";
import { decision } from "../decision/index.ts";
import { WorkQueue } from "../queue/work-queue.ts";
import { clientMetrics, leaderMetrics } from "./client-metrics.ts";
import { controllerMetrics } from "./controller-metrics.ts";
import { prometheusMetrics } from "./prometheus.ts";
import { queueMetrics } from "./queue-metrics.ts";

afterEach(stopAll);

test("a controller's passes are counted under controller-runtime's names", async () => {
  const metrics = prometheusMetrics();
  let isBroken = false;
  const definition = boatController(() => {
    if (isBroken) throw new Error("the mast broke");
    return decision({});
  });
  const { clock, boats } = await sailing(definition, { observer: controllerMetrics(metrics)("sea.boat") });
  isBroken = true;
  boats.put(boat("tern", { sails: 2 }));
  await clock.advance(50);
  const { body } = await metrics.expose();
  expect(body).toContain('controller_runtime_reconcile_total{controller="sea.boat",result="success"} 1');
  expect(body).toContain('controller_runtime_reconcile_total{controller="sea.boat",result="error"} 1');
  expect(body).toContain('controller_runtime_reconcile_errors_total{controller="sea.boat"} 1');
  expect(body).toContain('controller_runtime_reconcile_time_seconds_count{controller="sea.boat"} 2');
  expect(body).toContain('controller_runtime_active_workers{controller="sea.boat"} 0');
  expect(body).toContain('controller_runtime_max_concurrent_reconciles{controller="sea.boat"} 1');
});

test("a queue is measured under client-go's names", async () => {
  const metrics = prometheusMetrics();
  const clock = new VirtualClock();
  const queues = queueMetrics(metrics);
  const queue = new WorkQueue({ clock, observer: queues.observer("sea.boat") });
  queues.watch("sea.boat", queue);
  for (const key of ["a", "b", "c"]) queue.add(key);
  queue.addRateLimited("d");
  await clock.advance(2_000);
  queue.take();
  await clock.advance(3_000);
  queue.take();
  await clock.advance(4_000);
  queue.done("b");
  const { body } = await metrics.expose();
  const labels = '{name="sea.boat",controller="sea.boat"}';
  expect(body).toContain(`workqueue_depth${labels} 2`);
  expect(body).toContain(`workqueue_adds_total${labels} 4`);
  expect(body).toContain(`workqueue_retries_total${labels} 1`);
  expect(body).toContain(`workqueue_queue_duration_seconds_sum${labels} 7`);
  expect(body).toContain(`workqueue_work_duration_seconds_sum${labels} 4`);
  expect(body).toContain(`workqueue_unfinished_work_seconds${labels} 7`);
  expect(body).toContain(`workqueue_longest_running_processor_seconds${labels} 7`);
});

test("requests, leadership and the process itself are there", async () => {
  const metrics = prometheusMetrics();
  const onRequest = clientMetrics(metrics);
  const note = { cluster: "west", verb: "get", method: "GET", resource: "pods", durationMs: 1 } as const;
  onRequest({ ...note, status: 200 });
  onRequest({ ...note, status: undefined });
  let isLeading = false;
  leaderMetrics(metrics, "chaski", () => isLeading);
  const before = await metrics.expose();
  isLeading = true;
  const after = await metrics.expose();
  expect(before.body).toContain('leader_election_master_status{name="chaski"} 0');
  expect(after.body).toContain('leader_election_master_status{name="chaski"} 1');
  expect(after.body).toContain('rest_client_requests_total{code="200",method="GET",host="west"} 1');
  expect(after.body).toContain('rest_client_requests_total{code="<error>",method="GET",host="west"} 1');
  expect(after.body).toMatch(/^process_cpu_seconds_total \d/m);
  expect(after.body).toMatch(/^nodejs_eventloop_lag_seconds \d/m);
});

test("two runtimes in one process do not share their numbers", async () => {
  const [first, second] = [prometheusMetrics(), prometheusMetrics()];
  first.counter({ name: "boats_total", help: "Boats" }).increase({}, 3);
  expect((await first.expose()).body).toContain("boats_total 3");
  expect((await second.expose()).body).not.toContain("boats_total");
});
