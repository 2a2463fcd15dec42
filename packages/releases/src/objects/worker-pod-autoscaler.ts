import type { WorkerScaling } from "@chaski/api";
import { apiVersionOf } from "@chaski/kube";
import type { App } from "./app.ts";
import { filled } from "./filled.ts";
import type { ReplicaBounds } from "./horizontal-pod-autoscaler.ts";
import { type SpecObject, WorkerPodAutoScaler } from "./kinds.ts";
import { incarnationLabels } from "./labels.ts";
import { readFloat } from "./number-text.ts";

export function buildWorkerPodAutoscaler(
  app: App,
  tag: string,
  worker: WorkerScaling,
  bounds: ReplicaBounds,
): SpecObject {
  const { queueUri, targetMessagesPerWorker, secondsToProcessOneJobString, maxDisruption } = worker;
  return {
    apiVersion: apiVersionOf(WorkerPodAutoScaler),
    kind: WorkerPodAutoScaler.kind,
    metadata: { name: tag, namespace: app.namespace, labels: incarnationLabels(app, tag) },
    spec: {
      replicaSetName: tag,
      minReplicas: bounds.min,
      maxReplicas: Math.max(bounds.min, bounds.max),
      queueURI: queueUri,
      targetMessagesPerWorker,
      ...filled({ secondsToProcessOneJob: readFloat(secondsToProcessOneJobString), maxDisruption }),
    },
  };
}
