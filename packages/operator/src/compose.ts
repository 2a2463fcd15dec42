// Everything that runs. Each wing is a list of controllers and admission handlers; nothing registers itself.
import { canaryController, validateCanary } from "@chaski/canaries";
import type { AdmissionHandler, AnyController } from "@chaski/runtime";

export const WINGS = ["canaries"] as const;
export type Wing = (typeof WINGS)[number];

export interface ComposeOptions {
  readonly wings: readonly Wing[];
  readonly concurrentCanaries: number;
}

export interface Composition {
  readonly controllers: readonly AnyController[];
  readonly admission: readonly AdmissionHandler[];
}

export function compose({ wings, concurrentCanaries }: ComposeOptions): Composition {
  const all: Readonly<Record<Wing, Composition>> = {
    canaries: {
      controllers: [canaryController({ concurrency: concurrentCanaries })],
      admission: [validateCanary],
    },
  };
  const chosen = wings.map((wing) => all[wing]);
  return {
    controllers: chosen.flatMap(({ controllers }) => controllers),
    admission: chosen.flatMap(({ admission }) => admission),
  };
}
