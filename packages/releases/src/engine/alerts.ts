// The alerts that speak against a revision, kept with it until it is deployed anew (D-63).
import { type Incarnation, withStatus } from "./incarnation.ts";
import type { Evidence } from "./world.ts";

export function rememberAlerts(incarnation: Incarnation, evidence: readonly Evidence[] = []): Incarnation {
  const firing = evidence.filter(({ verdict }) => verdict === "fail").flatMap(({ alerts = [] }) => alerts);
  if (firing.length === 0) return incarnation;
  const known = incarnation.status.triggeredAlerts ?? [];
  return withStatus(incarnation, { triggeredAlerts: [...new Set([...known, ...firing])].toSorted() });
}
