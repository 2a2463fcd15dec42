import type { Problem } from "../../schema/problem.ts";
import { annotations } from "../keys.ts";
import type { ReleaseManager } from "../release-manager.ts";

/** Deleting a ReleaseManager deletes its namespaces: not while they serve, unless somebody means it (D-83). */
export function deletionProblems({ metadata, status }: ReleaseManager): readonly Problem[] {
  const serving = (status?.revisions ?? []).filter(({ currentPercent }) => currentPercent > 0).map(({ tag }) => tag);
  if (serving.length === 0 || metadata.annotations?.[annotations.allowDelete] === "true") return [];
  const wayOut = `annotate it with ${annotations.allowDelete}: "true" first`;
  return [{ path: "metadata.name", message: `${serving.join(", ")} has traffic, which deletion would end: ${wayOut}` }];
}
