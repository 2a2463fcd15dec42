import { z } from "zod";
import { opaque } from "../schema/fields.ts";
import type { KedaTrigger } from "./foreign.ts";
import { int32 } from "./scalars.ts";

const worker = z
  .object({
    queueUri: z.string().describe("The queue."),
    targetMessagesPerWorker: int32.describe("Messages that one pod shall have."),
    secondsToProcessOneJobString: z.string().exactOptional().describe("A number, for queues that are mostly empty."),
    maxDisruption: z.string().describe("How many pods may go at once: a number or a percentage."),
  })
  .describe("Scale by the length of a queue, with a WorkerPodAutoscaler.");

const kedaWorker = z
  .object({
    triggers: z.array(opaque<KedaTrigger>("A KEDA trigger.")).describe("What KEDA looks at."),
    cooldownPeriod: int32.nullable().exactOptional().describe("Seconds before it scales to zero."),
    idleReplicaCount: int32.nullable().exactOptional().describe("Pods while no trigger is active."),
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
    minReadySeconds: int32.exactOptional().describe("How long a pod is ready before it counts."),
    targetCPUUtilizationPercentage: int32.nullable().exactOptional().describe("Of the requested CPU."),
    targetMemoryUtilizationPercentage: int32.nullable().exactOptional().describe("Of the requested memory."),
    targetRequestsRate: z.string().nullable().exactOptional().describe("Requests per second and pod, as a quantity."),
    requestsRateMetric: z.string().exactOptional().describe("Default: istio_requests_rate."),
    worker: worker.exactOptional(),
    kedaWorker: kedaWorker.exactOptional(),
  })
  .describe("How many pods, and what scales them.");

export type ScaleInfo = z.output<typeof scaleInfo>;
export type WorkerScaling = z.output<typeof worker>;
export type KedaScaling = z.output<typeof kedaWorker>;
