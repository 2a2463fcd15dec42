export { ADMISSION_PATHS, releaseAdmission } from "./admission/index.ts";
export {
  type CalendarSettings,
  defaultCalendarSettings,
  readCalendars,
  UnknownCountryError,
} from "./calendars/read-calendars.ts";
export { clusterSource } from "./controllers/cluster-source.ts";
export type { ReleaseSettings } from "./controllers/gather-release.ts";
export { liveRouteOf } from "./controllers/live-route.ts";
export { releaseControllers, type ReleasesOptions } from "./controllers/wing.ts";
export { decideOutcome } from "./engine/decide-outcome.ts";
export { decideRelease } from "./engine/decide-release.ts";
export { takerIfFailed } from "./engine/foresee.ts";
export type { Outcome } from "./engine/outcome.ts";
export { states as RELEASE_STATES } from "./engine/states.ts";
export type * from "./plan/plan.ts";
export { replacedManagers } from "./plan/replaced-managers.ts";
export { type Calendar, defaultCalendar, type Freeze } from "./engine/schedule/calendar.ts";
export {
  type ClusterWorld,
  type ConfigSource,
  type Contact,
  defaultFlags,
  type Evidence,
  type LiveRoute,
  type RampMode,
  type ReleaseFlags,
  type ReleaseWorld,
} from "./engine/world.ts";
export type { Judge, Subject } from "./evidence/judge.ts";
export type { PrometheusAccess } from "./evidence/prometheus/prometheus-api.ts";
export { prometheusJudge, type PrometheusJudgeOptions } from "./evidence/prometheus/prometheus-judge.ts";
export { wakeJudged } from "./evidence/wake-judged.ts";
export { buildEntries, type ReleasePlan } from "./objects/entries/build-entries.ts";
export { externalMetricsRules } from "./objects/rbac.ts";
export { coreKinds, kindOf, optionalKinds, refOf, VirtualService } from "./objects/kinds.ts";
export { metricNames } from "./promql/metric-names.ts";
