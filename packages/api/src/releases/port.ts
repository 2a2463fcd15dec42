import { z } from "zod";
import { goDuration, int32 } from "./scalars.ts";

export const ingressNames = ["public", "private"] as const;
export type IngressName = (typeof ingressNames)[number];

export const port = z.object({
  name: z.string(),
  mode: z.string().describe("public, private or local. Empty: private."),
  hosts: z.array(z.string()).exactOptional(),
  ingressPort: int32.exactOptional().describe("Default: 443."),
  port: int32.exactOptional().describe("Default: 80."),
  containerPort: int32.exactOptional().describe("Default: 80."),
  protocol: z.string().exactOptional().describe("Default: TCP."),
  default: z.boolean().exactOptional().describe("Owns the default host names of its ingresses."),
  ingresses: z.array(z.string()).exactOptional(),
  istio: z
    .object({
      http: z
        .object({
          retries: z
            .object({
              attempts: int32.exactOptional(),
              perTryTimeout: goDuration.exactOptional(),
              retryOn: z.string().nullable().exactOptional(),
            })
            .exactOptional(),
          timeout: goDuration.exactOptional(),
        })
        .exactOptional(),
    })
    .exactOptional(),
});

export type PortInfo = z.output<typeof port>;
