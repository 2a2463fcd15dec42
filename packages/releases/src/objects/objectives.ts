// What the rules and service levels of an app's objectives have in common (§12).
import type { ServiceLevelObjective } from "@chaski/api";

/** An objective that can be recorded. */
export interface Objective {
  readonly given: ServiceLevelObjective;
  /** Sanitized; tells the objectives of an app apart. */
  readonly name: string;
  readonly totalQuery: string;
  readonly errorQuery: string;
}

/** In order; without those that name no query, and of those with the same name the first. */
export function recordable(objectives: readonly ServiceLevelObjective[]): readonly Objective[] {
  const found = new Map<string, Objective>();
  for (const given of objectives) {
    const { totalQuery, errorQuery } = given.serviceLevelIndicator ?? {};
    const name = sanitize(given.name ?? "");
    if (totalQuery && errorQuery && !found.has(name)) found.set(name, { given, name, totalQuery, errorQuery });
  }
  return [...found.values()];
}

function sanitize(name: string): string {
  return name.replaceAll(/[^a-z0-9]+/gi, "_").toLowerCase();
}

export function recordName(app: string, { name }: Objective, what: "total" | "errors"): string {
  return `${sanitize(app)}:${name}:${what}`;
}
