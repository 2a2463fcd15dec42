import type { ConformanceCase } from "../case.ts";
import { lifecycleCases } from "./lifecycle.ts";

export const allCases: readonly ConformanceCase[] = [...lifecycleCases];
