// Field types that several kinds share.
import { z } from "zod";

/** A part of a foreign API (core/v1, Istio, KEDA …): nothing in it is pruned. `T` is how the code reads it. */
export function opaque<T>(description: string): z.ZodType<T> {
  return z
    .custom<T>((value) => typeof value === "object" && value !== null)
    .meta({ description, type: "object", "x-kubernetes-preserve-unknown-fields": true });
}

export const timestamp = z.iso.datetime({ offset: true }).meta({ format: "date-time" });

const condition = z.object({
  type: z.string().max(316),
  status: z.enum(["True", "False", "Unknown"]),
  reason: z.string().max(1024),
  message: z.string().max(32_768),
  lastTransitionTime: timestamp,
  observedGeneration: z.int().exactOptional(),
});

/** Associative by type, so that two controllers can each own a condition. */
export const conditions = z
  .array(condition)
  .meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] });

const GATE_TEXT_MAX = 512;

export const gates = z
  .array(
    z.object({
      name: z.string().max(64),
      verdict: z.enum(["passed", "waiting", "failed", "unknown"]),
      message: z.string().max(GATE_TEXT_MAX),
      subject: z.string().max(GATE_TEXT_MAX).exactOptional(),
      cluster: z.string().max(GATE_TEXT_MAX).exactOptional(),
      value: z.string().max(GATE_TEXT_MAX).exactOptional(),
      threshold: z.string().max(GATE_TEXT_MAX).exactOptional(),
      since: timestamp.exactOptional(),
      unblock: z.string().max(GATE_TEXT_MAX).exactOptional(),
      earliest: timestamp.exactOptional(),
    }),
  )
  .max(64)
  .meta({
    "x-kubernetes-list-type": "atomic",
    description: "What was checked, in order; the first one that is not passed is what the object waits for.",
  });
