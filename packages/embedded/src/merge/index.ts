export { jsonMergePatch } from "./json-merge-patch.ts";
export { jsonPatch } from "./json-patch.ts";
export { PatchError } from "./patch-error.ts";
export {
  type ApplyConflict,
  type ApplyRequest,
  type ApplyResult,
  applyServerSide,
  keepTimesIfUnchanged,
  type TrackingRequest,
  trackUpdate,
  type UpdateRequest,
  type VersionLookup,
} from "./server-side-apply.ts";
export { strategicMergePatch } from "./strategic-merge-patch.ts";
