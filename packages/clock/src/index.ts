export type { Clock, Deadline, Timer } from "./clock.ts";
export { type Random, seededRandom, systemRandom } from "./random.ts";
export { RealClock } from "./real-clock.ts";
export { VirtualClock } from "./virtual-clock.ts";
