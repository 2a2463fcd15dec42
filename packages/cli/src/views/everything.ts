import type { Everything } from "../cluster/everything.ts";
import { drawCanaries } from "./canary-list.ts";
import { type Frame, type Line, line } from "./line.ts";
import { type Release, releaseOf } from "./release.ts";
import { drawList } from "./release-list.ts";

/** A table of each kind that there is. */
export function drawEverything(
  { releases, canaries }: Pick<Everything, "releases" | "canaries">,
  frame: Frame,
  order: (a: Release, b: Release) => number,
): readonly Line[] {
  return [
    ...(releases.length > 0 ? drawList(releases.map(releaseOf).toSorted(order), frame) : []),
    ...(releases.length > 0 && canaries.length > 0 ? [line("")] : []),
    ...(canaries.length > 0 ? drawCanaries(canaries, frame) : []),
  ];
}
