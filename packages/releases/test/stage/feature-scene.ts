import type { RevisionTarget } from "@chaski/api";
import type { FleetStage, Platform } from "./fleet-stage.ts";

/** A fleet and one app on it, embedded or real, under an operator that looks at nothing unless something happens. */
export interface FeatureScene {
  readonly platform: Platform;
  readonly stage: FleetStage;
  /** Every rule of the design that was broken at some moment. */
  readonly broken: () => readonly string[];
  /** How often each release was decided about so far, by `namespace/name`. */
  readonly passes: ReadonlyMap<string, number>;
  newNamespace(): Promise<string>;
}

/** Tests may run side by side: each ends its own scene. */
export type Begin = (atEnd: (end: () => Promise<void>) => void) => Promise<FeatureScene>;

export const LONG = { timeout: 180_000 };

/** Once in an hour is never, in a test. */
export const NO_SYNC_MS = 3_600_000;

/** Everything at once: for tests that are about what is released, not about how. */
export const AT_ONCE: NonNullable<RevisionTarget["release"]> = {
  eligible: true,
  schedule: "always",
  scalingStrategy: "linear",
  linearScaling: { increment: 100, delay: "1s" },
};

/** What each cluster says, in the order of clusters. */
export async function onEach<T>(
  { targets }: FleetStage,
  ask: (target: FleetStage["targets"][number]) => Promise<T>,
): Promise<readonly T[]> {
  return await Promise.all(targets.map(ask));
}
