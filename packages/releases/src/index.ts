export type * from "./engine/plan.ts";
export type { Calendar, Freeze } from "./engine/schedule/calendar.ts";
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
