import { describe, expect, test } from "vitest";
import { echoApp, TAG } from "../../test/echo.ts";
import { expectGolden } from "../../test/golden.ts";
import { buildDatadogMetric } from "./datadog-metric.ts";
import { buildAmbientScaledObject, buildScaledObject } from "./scaled-object.ts";
import { buildDatadogConfig, buildTriggerAuthentication } from "./trigger-authentication.ts";

const sqs = { type: "aws-sqs-queue", metadata: { queueURL: "https://sqs.example/echo", queueLength: "5" } };
const datadog = {
  type: "datadog",
  metadata: { datadogMetricName: "echo", targetValue: "5" },
  authenticationRef: { name: "own", kind: "ClusterTriggerAuthentication" },
};
const keda = {
  triggers: [sqs, datadog],
  cooldownPeriod: 60,
  idleReplicaCount: null,
  fallback: { failureThreshold: 3, replicas: 2 },
  minReplicaCount: 40,
  maxReplicaCount: 80,
};
const bounds = { min: 2, max: 5 };

describe("a KEDA worker", () => {
  test("its ScaledObject", () => expectGolden(buildScaledObject(echoApp(), TAG, keda, bounds), "scaled-object"));

  test("how its triggers sign in", () =>
    expectGolden(buildTriggerAuthentication(echoApp(), TAG, keda), "trigger-authentication"));

  test("how they reach Datadog", () => expectGolden(buildDatadogConfig(echoApp(), TAG), "datadog-config"));

  test("the rate that Datadog measures", () =>
    expectGolden(buildDatadogMetric(echoApp(), TAG, "us-east"), "datadog-metric"));

  test("without a Datadog trigger nothing of Datadog is needed to sign in", () => {
    const { spec } = buildTriggerAuthentication(echoApp(), TAG, { triggers: [sqs] });
    expect(spec).toEqual({ podIdentity: { provider: "aws-eks" } });
  });
});

test("the ambient mesh: scaled by what the mesh counts", () => {
  const rate = { perPodMilli: 5000, prometheusAddress: "http://prometheus.example:9090" };
  const app = { ...echoApp(), namespace: "testnamespace" };
  return expectGolden(buildAmbientScaledObject(app, "testtag", rate, bounds), "scaled-object-ambient");
});
