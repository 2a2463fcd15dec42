import type { Condition } from "./object.ts";

/** A condition as it is claimed: when it last changed follows from what was there before. */
export type ConditionClaim = Omit<Condition, "lastTransitionTime">;

/** The list with this condition in it. Its transition time moves only when its status does; order is kept. */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  claim: ConditionClaim,
  now: string,
): readonly Condition[] {
  const before = findCondition(conditions, claim.type);
  const lastTransitionTime = before?.status === claim.status ? before.lastTransitionTime : now;
  const after: Condition = { ...claim, lastTransitionTime };
  if (before === undefined) return [...(conditions ?? []), after];
  return (conditions ?? []).map((condition) => (condition.type === claim.type ? after : condition));
}

export function findCondition<T extends { readonly type: string }>(
  conditions: readonly T[] | undefined,
  type: string,
): T | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Absent and Unknown are not true. */
export function isTrue(
  conditions: readonly { readonly type: string; readonly status: string }[] | undefined,
  type: string,
): boolean {
  return findCondition(conditions, type)?.status === "True";
}
