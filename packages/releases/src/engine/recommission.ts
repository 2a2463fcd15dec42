// With nothing good left to serve, the newest retired revision is asked back (§4.3).
import type { Incarnation } from "./incarnation.ts";
import { isFailed } from "./rollback.ts";
import type { State } from "./states.ts";
import { recommission } from "./transition.ts";

const SERVES_OR_WILL: ReadonlySet<State | undefined> = new Set([
  "deploying",
  "deployed",
  "pendingrelease",
  "releasing",
  "released",
]);

export function recommissioned(incarnations: readonly Incarnation[]): readonly Incarnation[] {
  const isGood = (incarnation: Incarnation): boolean => incarnation.settings !== undefined && !isFailed(incarnation);
  const isServed = incarnations.some(
    (incarnation) => SERVES_OR_WILL.has(incarnation.state) && isGood(incarnation) && incarnation.status.peakPercent > 0,
  );
  if (isServed) return incarnations;
  const retired = incarnations.filter(
    (incarnation) => isGood(incarnation) && (incarnation.state === "retired" || incarnation.state === "retiring"),
  );
  const chosen = retired.find(({ status }) => status.peakPercent > 0) ?? retired[0];
  return incarnations.map((incarnation) => (incarnation === chosen ? recommission(incarnation) : incarnation));
}
