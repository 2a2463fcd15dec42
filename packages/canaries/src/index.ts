export { validateCanary } from "./admission/validate-canary.ts";
export { canaryController } from "./controllers/canary.ts";
export { decideCanary } from "./engine/decide-canary.ts";
export { RETAIN_FINALIZER } from "./engine/finalizer.ts";
export type { CanaryWorld } from "./engine/world.ts";
