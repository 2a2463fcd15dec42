import { type Canary, CANARY_GROUP, Canary as CanaryKind } from "@chaski/api";
import { finalizerPatches, type ObjectPatch } from "@chaski/runtime/decision";

export const RETAIN_FINALIZER = `${CANARY_GROUP}/retain`;

export function retainPatches(canary: Canary, isRetained: boolean): readonly ObjectPatch[] {
  return finalizerPatches(CanaryKind, canary, RETAIN_FINALIZER, isRetained);
}
