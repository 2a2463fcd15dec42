// What a decision is made of. Pure values: an engine imports this entry point and drags in nothing of the runtime.
export { AHEAD_MAX, decideAhead, type Step } from "./decide-ahead.ts";
export {
  type ClusterDesired,
  type Decision,
  decision,
  type EventNote,
  LOCAL_CLUSTER,
  type ObjectPatch,
  type Stall,
} from "./decision.ts";
export {
  type ApplyEntry,
  type ApplyOptions,
  apply,
  type CopySource,
  type Entry,
  type KeepEntry,
  keep,
  MADE_ANNOTATION,
  type RemoveEntry,
  remove,
  type ScaleEntry,
  scale,
} from "./entry.ts";
export { finalizerPatches } from "./finalizer.ts";
export {
  firstClosed,
  GATE_TEXT_MAX,
  GATES_MAX,
  type Gate,
  type Verdict,
  verdictKey,
  withSince,
} from "./gate.ts";
export { type ClusterResult, type EntryResult, isUnmet, type Unmet } from "./result.ts";
