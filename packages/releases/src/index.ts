export { ADMISSION_PATHS, releaseAdmission } from "./admission/index.ts";
export { readCalendars } from "./calendars/read-calendars.ts";
export { clusterSource } from "./controllers/cluster-source.ts";
export { liveRouteOf } from "./controllers/live-route.ts";
export { lookForLatePods } from "./controllers/look-for-late-pods.ts";
export { onMirrorFailure } from "./controllers/mirror-failures.ts";
export { wakeJudged } from "./controllers/wake-judged.ts";
export { releaseControllers, type ReleasesOptions } from "./controllers/wing.ts";
export { decideOutcome } from "./engine/decide-outcome.ts";
export { decideRelease } from "./engine/decide-release.ts";
export { takerIfFailed } from "./engine/foresee.ts";
export type { Outcome } from "./engine/outcome.ts";
export { states as RELEASE_STATES } from "./engine/states.ts";
export type * from "./plan/plan.ts";
export { replacedManagers } from "./plan/replaced-managers.ts";
export { type Calendar, defaultCalendar } from "./engine/schedule/calendar.ts";
export {
  type ClusterWorld,
  defaultFlags,
  type Evidence,
  type LiveRoute,
  type ReleaseFlags,
  type ReleaseWorld,
} from "./engine/world.ts";
export type { Judge } from "./evidence/judge.ts";
export { prometheusJudge } from "./evidence/prometheus/prometheus-judge.ts";
export { externalMetricsRules } from "./objects/rbac.ts";
export { coreKinds, kindOf, optionalKinds, refOf, VirtualService } from "./objects/kinds.ts";
export { LatePods } from "./pods/late-pods.ts";
export type { PodTrouble } from "./pods/pod-trouble.ts";
export { metricNames } from "./promql/metric-names.ts";
