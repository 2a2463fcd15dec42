// What a log is told of a release: one sentence per fact, so that only what changes is said again.
import type { Release } from "./release.ts";

export function tellRelease({ name, revisions, clusters, standing }: Release): readonly string[] {
  const shown = revisions.filter(({ state }) => state.current !== "retired" && state.current !== "deleted");
  return [
    ...shown.map(({ tag, state, currentPercent, scale }) => {
      const pods = `${scale?.Current ?? 0} of ${scale?.Desired ?? 0} pods ready`;
      return `${name} ${tag} is ${state.current} with ${currentPercent} %, ${pods}`;
    }),
    ...clusters
      .filter(({ contact }) => contact !== "observed")
      .map((cluster) => `${name}: cluster ${cluster.name} is ${cluster.contact}`),
    `${name} ${standing.type === "waiting" ? "waits" : `is ${standing.type}`}: ${standing.message}`,
  ];
}
