import type { AppPlan } from "../engine/plan.ts";

/** Which release the objects belong to. */
export type App = Pick<AppPlan, "app" | "target" | "fleet" | "namespace" | "releaseManager">;
