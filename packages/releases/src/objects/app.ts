import type { AppPlan } from "../plan/plan.ts";

/** Which release the objects belong to. */
export type App = Pick<AppPlan, "app" | "target" | "fleet" | "namespace" | "releaseManager">;
