export type { ConflictCause } from "./conflicts.ts";
export { jsonMergePatch } from "./json-merge-patch.ts";
export { jsonPatch } from "./json-patch.ts";
export { PatchError } from "./patch-error.ts";
export { type ApplyRequest, type ApplyResult, applyServerSide } from "./server-side-apply.ts";
export { strategicMergePatch } from "./strategic-merge-patch.ts";
export { trackUpdate, type UpdateRequest } from "./track-update.ts";
export type { TrackingRequest, VersionLookup } from "./tracking.ts";
