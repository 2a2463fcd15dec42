import { expect, test } from "vitest";
import { echoApp, TAG } from "../../test/echo.ts";
import { expectGolden } from "../../test/golden.ts";
import { buildWorkerPodAutoscaler } from "./worker-pod-autoscaler.ts";

const worker = {
  queueUri: "https://sqs.us-east-1.amazonaws.com/123/echo",
  targetMessagesPerWorker: 10,
  secondsToProcessOneJobString: "0.25",
  maxDisruption: "50%",
};

test("a worker", () =>
  expectGolden(buildWorkerPodAutoscaler(echoApp(), TAG, worker, { min: 0, max: 5 }), "worker-pod-autoscaler"));

test("seconds that can't be read are left out", () => {
  const unreadable = { ...worker, secondsToProcessOneJobString: "soon" };
  const { spec } = buildWorkerPodAutoscaler(echoApp(), TAG, unreadable, { min: 0, max: 5 });
  expect(spec).not.toHaveProperty("secondsToProcessOneJob");
});
