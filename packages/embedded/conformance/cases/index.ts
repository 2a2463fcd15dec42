import type { ConformanceCase } from "../case.ts";
import { badBodyCases, badRequestCases } from "./bad-input.ts";
import { customResourceCases } from "./custom-resources.ts";
import { lifecycleCases } from "./lifecycle.ts";

export const allCases: readonly ConformanceCase[] = [
  ...lifecycleCases,
  ...customResourceCases,
  ...badBodyCases,
  ...badRequestCases,
];
