// What scales by Datadog's metrics, and by the length of a queue.
import { type Definition } from "./definition.ts";
import { byKey, dateTime, int32, list, nullable, number, object, required, string } from "./schema.ts";

const datadogMetric: Definition = {
  group: "datadoghq.com",
  kind: "DatadogMetric",
  versions: ["v1alpha1"],
  spec: object({ externalMetricName: string, maxAge: string, query: string, timeWindow: string }),
  status: object(
    {
      autoscalerReferences: string,
      conditions: list(
        object(
          {
            lastTransitionTime: dateTime,
            lastUpdateTime: dateTime,
            message: string,
            reason: string,
            status: string,
            type: string,
          },
          required("status", "type"),
        ),
        byKey("type"),
      ),
      currentValue: string,
    },
    required("currentValue"),
  ),
  columns: [
    ["active", "string", ".status.conditions[?(@.type=='Active')].status"],
    ["valid", "string", ".status.conditions[?(@.type=='Valid')].status"],
    ["value", "string", ".status.currentValue"],
  ],
};

const workerPodAutoScaler: Definition = {
  group: "k8s.practo.dev",
  kind: "WorkerPodAutoScaler",
  shortNames: ["wpa", "wpas"],
  versions: ["v1"],
  isSpecRequired: true,
  spec: object(
    {
      deploymentName: string,
      replicaSetName: string,
      maxDisruption: nullable(string),
      maxReplicas: int32,
      minReplicas: int32,
      queueURI: string,
      targetMessagesPerWorker: int32,
      secondsToProcessOneJob: nullable({ ...number, format: "float" }),
    },
    {
      ...required("minReplicas", "maxReplicas", "queueURI", "targetMessagesPerWorker"),
      oneOf: [required("deploymentName"), required("replicaSetName")],
    },
  ),
  status: object({}),
};

export const SCALING: readonly Definition[] = [datadogMetric, workerPodAutoScaler];
