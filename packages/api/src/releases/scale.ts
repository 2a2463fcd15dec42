import { z } from "zod";
import { opaque } from "../schema/fields.ts";
import type { KedaTrigger } from "./foreign.ts";
import { int32 } from "./scalars.ts";

const worker = z
  .object({
    queueUri: z.string(),
    targetMessagesPerWorker: int32,
    secondsToProcessOneJobString: z.string().exactOptional(),
    maxDisruption: z.string(),
  })
  .describe("Scale by the length of a queue, with a WorkerPodAutoscaler.");

const kedaWorker = z
  .object({
    triggers: z.array(opaque<KedaTrigger>("A KEDA trigger.")),
    cooldownPeriod: int32.nullable().exactOptional(),
    idleReplicaCount: int32.nullable().exactOptional(),
    advanced: opaque<Readonly<Record<string, unknown>>>("KEDA's advanced settings.").exactOptional(),
    fallback: opaque<Readonly<Record<string, unknown>>>("KEDA's fallback.").exactOptional(),
    minReplicaCount: int32.nullable().exactOptional().describe("Accepted and ignored: scale.min counts."),
    maxReplicaCount: int32.nullable().exactOptional().describe("Accepted and ignored: scale.max counts."),
    awsEksAuth: z.boolean().exactOptional().describe("Accepted and ignored."),
  })
  .describe("Scale by KEDA triggers.");

export const scaleInfo = z
  .object({
    min: int32.nullable().exactOptional().describe("Pods of the whole fleet, at least. Default: 1."),
    default: int32.exactOptional().describe("Pods of the whole fleet when the ReplicaSet is created. Default: min."),
    max: int32.exactOptional().describe("Pods of the whole fleet, at most. Default: 1."),
    minReadySeconds: int32.exactOptional(),
    targetCPUUtilizationPercentage: int32.nullable().exactOptional(),
    targetMemoryUtilizationPercentage: int32.nullable().exactOptional(),
    targetRequestsRate: z.string().nullable().exactOptional().describe("Requests per second and pod, as a quantity."),
    requestsRateMetric: z.string().exactOptional().describe("Default: istio_requests_rate."),
    worker: worker.exactOptional(),
    kedaWorker: kedaWorker.exactOptional(),
  })
  .describe("How many pods, and what scales them.");

export type ScaleInfo = z.output<typeof scaleInfo>;
export type WorkerScaling = z.output<typeof worker>;
export type KedaScaling = z.output<typeof kedaWorker>;
