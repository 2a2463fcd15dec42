export const CANARY_GROUP = "canarycontroller.chaski.dev";

/** Names the revision that `currentBatch` approves; without it only a change of `currentBatch` approves anything. */
export const APPROVES_ANNOTATION = `${CANARY_GROUP}/approves`;
