import type { ClusterView } from "@chaski/runtime";
import type { Contact } from "../engine/world.ts";

/** Whether a cluster is heard from. One that has no view is not connected (yet). */
export function contactOf(view: ClusterView | undefined): Contact {
  if (!view) return { state: "unreachable", cause: "it is not connected" };
  const { reachability } = view;
  switch (reachability.state) {
    case "observed":
      return { state: "observed" };
    case "stale":
      return { state: "stale", lastHeardMs: reachability.sinceMs };
    case "unreachable":
      return { state: "unreachable", lastHeardMs: reachability.sinceMs, cause: reachability.cause };
  }
}
