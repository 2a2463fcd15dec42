import { z } from "zod";
import { opaque } from "../schema/fields.ts";
import type { ServiceMonitorSpec } from "./foreign.ts";
import { stringMap } from "./scalars.ts";

export const serviceLevelLabels = z.object({
  alertLabels: stringMap.exactOptional().describe("Of the canary's alerts."),
  ruleLabels: stringMap.exactOptional().describe("Of the PrometheusRules."),
  serviceLevelLabels: stringMap.exactOptional().describe("Of Sloth's rules."),
});

const alert = z.object({
  disable: z.boolean().exactOptional().describe("No such alert."),
  labels: stringMap.exactOptional(),
  annotations: stringMap.exactOptional(),
});

export const serviceLevelObjective = z.object({
  name: z.string().exactOptional().describe("Tells the objectives of an app apart."),
  description: z.string().exactOptional().describe("The message of its alerts."),
  enabled: z.boolean().describe("Whether there are rules for it."),
  objectivePercentString: z.string().exactOptional().describe("A number such as 99.9."),
  serviceLevelIndicator: z
    .object({
      canary: z
        .object({
          enabled: z.boolean().describe("Whether a canary is judged by it."),
          allowancePercentString: z.string().exactOptional().describe("Percent points that a canary may be worse."),
          allowancePercent: z.number().exactOptional().describe("The same as a number; the text wins."),
          failAfter: z.string().exactOptional().describe("How long it has to be worse."),
        })
        .exactOptional(),
      tagKey: z.string().exactOptional().describe("The label that has the tag. Default: tag."),
      alertAfter: z.string().exactOptional().describe("Unused."),
      totalQuery: z.string().exactOptional().describe("PromQL: all events."),
      errorQuery: z.string().exactOptional().describe("PromQL: the bad ones."),
    })
    .exactOptional(),
  serviceLevelObjectiveLabels: serviceLevelLabels.exactOptional(),
  alerting: z
    .object({
      name: z.string().exactOptional().describe("Without it Sloth is told nothing of alerts."),
      labels: stringMap.exactOptional(),
      annotations: stringMap.exactOptional(),
      pageAlert: alert.exactOptional().describe("Alerts that wake somebody."),
      ticketAlert: alert.exactOptional().describe("Alerts that can wait."),
    })
    .exactOptional()
    .describe("What Sloth's alerts are called. Those that shall roll back need the labels app and slo."),
});

export const serviceMonitor = z.object({
  name: z.string().describe("Of the ServiceMonitor."),
  sloRegex: z.boolean().describe("Fill empty metricRelabelings with the metrics that the SLO queries use."),
  annotations: stringMap.exactOptional(),
  labels: stringMap.exactOptional(),
  spec: opaque<ServiceMonitorSpec>("A prometheus-operator ServiceMonitor's spec.").exactOptional(),
});

export type ServiceLevelLabels = z.output<typeof serviceLevelLabels>;
export type ServiceLevelObjective = z.output<typeof serviceLevelObjective>;
export type ServiceMonitorInfo = z.output<typeof serviceMonitor>;
