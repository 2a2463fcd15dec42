import { z } from "zod";
import { goDuration, int64, uint32 } from "./scalars.ts";

export const releaseInfo = z
  .object({
    eligible: z.boolean().exactOptional().describe("May receive release traffic."),
    max: uint32.exactOptional().describe("Percent of the traffic, at most. Default: 100."),
    scalingStrategy: z.string().exactOptional().describe("linear or geometric (the default)."),
    geometricScaling: z
      .object({
        start: uint32.exactOptional().describe("First percent. Default: 10."),
        factor: uint32.exactOptional().describe("Each step multiplies by it. Default: 2."),
        delay: goDuration.exactOptional().describe("Wait between steps. Default: 10s."),
      })
      .exactOptional(),
    linearScaling: z
      .object({
        increment: uint32.exactOptional().describe("Percent points of each step. Default: 5."),
        delay: goDuration.exactOptional().describe("Wait between steps. Default: 10s."),
      })
      .exactOptional(),
    schedule: z
      .string()
      .exactOptional()
      .describe("humane, inhumane (the default); anything else releases at any time."),
    ttl: int64.exactOptional().describe("Seconds until an unused revision may be collected. Default: 432000."),
  })
  .describe("How the revision wins its traffic.");

export type ReleaseInfo = z.output<typeof releaseInfo>;
