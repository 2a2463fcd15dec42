import type { Condition } from "./object.ts";

/** A condition as it is claimed: when it last changed follows from what was there before. */
export type ConditionClaim = Omit<Condition, "lastTransitionTime">;

/** The list with these conditions in it. Transition times move only when the status does; order is kept. */
export function setConditions(
  before: readonly Condition[] | undefined,
  claims: readonly ConditionClaim[],
  now: string,
): Condition[] {
  return claims.reduce((conditions, claim) => setCondition(conditions, claim, now), [...(before ?? [])]);
}

function setCondition(conditions: Condition[], claim: ConditionClaim, now: string): Condition[] {
  const before = findCondition(conditions, claim.type);
  const lastTransitionTime = before?.status === claim.status ? before.lastTransitionTime : now;
  const after: Condition = { ...claim, lastTransitionTime };
  if (before === undefined) return [...conditions, after];
  return conditions.map((condition) => (condition.type === claim.type ? after : condition));
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
