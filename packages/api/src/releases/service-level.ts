import { z } from "zod";
import { opaque } from "../schema/fields.ts";
import type { ServiceMonitorSpec } from "./foreign.ts";
import { stringMap } from "./scalars.ts";

export const serviceLevelLabels = z.object({
  alertLabels: stringMap.exactOptional(),
  ruleLabels: stringMap.exactOptional(),
  serviceLevelLabels: stringMap.exactOptional(),
});

const alert = z.object({
  disable: z.boolean().exactOptional(),
  labels: stringMap.exactOptional(),
  annotations: stringMap.exactOptional(),
});

export const serviceLevelObjective = z.object({
  name: z.string().exactOptional(),
  description: z.string().exactOptional(),
  enabled: z.boolean(),
  objectivePercentString: z.string().exactOptional(),
  serviceLevelIndicator: z
    .object({
      canary: z
        .object({
          enabled: z.boolean(),
          allowancePercentString: z.string().exactOptional(),
          allowancePercent: z.number().exactOptional(),
          failAfter: z.string().exactOptional(),
        })
        .exactOptional(),
      tagKey: z.string().exactOptional(),
      alertAfter: z.string().exactOptional(),
      totalQuery: z.string().exactOptional(),
      errorQuery: z.string().exactOptional(),
    })
    .exactOptional(),
  serviceLevelObjectiveLabels: serviceLevelLabels.exactOptional(),
  alerting: z
    .object({
      name: z.string().exactOptional(),
      labels: stringMap.exactOptional(),
      annotations: stringMap.exactOptional(),
      pageAlert: alert.exactOptional(),
      ticketAlert: alert.exactOptional(),
    })
    .exactOptional(),
});

export const serviceMonitor = z.object({
  name: z.string(),
  sloRegex: z.boolean().describe("Fill empty metricRelabelings with the metrics that the SLO queries use."),
  annotations: stringMap.exactOptional(),
  labels: stringMap.exactOptional(),
  spec: opaque<ServiceMonitorSpec>("A prometheus-operator ServiceMonitor's spec.").exactOptional(),
});

export type ServiceLevelLabels = z.output<typeof serviceLevelLabels>;
export type ServiceLevelObjective = z.output<typeof serviceLevelObjective>;
export type ServiceMonitorInfo = z.output<typeof serviceMonitor>;
