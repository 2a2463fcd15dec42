export { decideCanary } from "./engine/decide-canary.ts";
export type { CanaryWorld } from "./engine/world.ts";
