import type { ConformanceCase } from "../case.ts";
import { badBodyCases, badRequestCases } from "./bad-input.ts";
import { customResourceChangeCases } from "./custom-resource-changes.ts";
import { customResourceDefinitionCases } from "./custom-resource-definitions.ts";
import { customResourceCases } from "./custom-resources.ts";
import { foundCases } from "./found.ts";
import { invalidObjectCases } from "./invalid-objects.ts";
import { lifecycleCases } from "./lifecycle.ts";
import { semanticCases } from "./semantics.ts";
import { subresourceCases } from "./subresources.ts";

export const allCases: readonly ConformanceCase[] = [
  ...lifecycleCases,
  ...customResourceCases,
  ...customResourceChangeCases,
  ...customResourceDefinitionCases,
  ...badBodyCases,
  ...badRequestCases,
  ...invalidObjectCases,
  ...semanticCases,
  ...subresourceCases,
  ...foundCases,
];
