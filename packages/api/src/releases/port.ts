import { z } from "zod";
import { goDuration, int32 } from "./scalars.ts";

export const ingressNames = ["public", "private"] as const;
export type IngressName = (typeof ingressNames)[number];

export const port = z.object({
  name: z.string().describe("Also of the container's and the Service's port."),
  mode: z.string().describe("public, private or local. Empty: private."),
  hosts: z.array(z.string()).exactOptional().describe("Host names of its own, beside the default ones."),
  ingressPort: int32.exactOptional().describe("Default: 443."),
  port: int32.exactOptional().describe("Default: 80."),
  containerPort: int32.exactOptional().describe("Default: 80."),
  protocol: z.string().exactOptional().describe("Default: TCP."),
  default: z.boolean().exactOptional().describe("Owns the default host names of its ingresses."),
  ingresses: z.array(z.string()).exactOptional().describe("public, private. Default: by the mode."),
  istio: z
    .object({
      http: z
        .object({
          retries: z
            .object({
              attempts: int32.exactOptional().describe("How often."),
              perTryTimeout: goDuration.exactOptional().describe("Of each try."),
              retryOn: z.string().nullable().exactOptional().describe("Istio's conditions, such as 5xx."),
            })
            .exactOptional(),
          timeout: goDuration.exactOptional().describe("Of a request, with all of its tries."),
        })
        .exactOptional(),
    })
    .exactOptional(),
});

export type PortInfo = z.output<typeof port>;
