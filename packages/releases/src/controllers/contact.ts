import type { KubeObject } from "@chaski/kube";
import type { ClusterView, Gathering } from "@chaski/runtime";
import type { Contact } from "../engine/world.ts";
import { ownedKinds } from "./owned-kinds.ts";

export interface SeenCluster {
  readonly name: string;
  readonly contact: Contact;
  /** What this owner has there, as far as it was seen. */
  readonly owned: readonly KubeObject[];
}

export function seenOn(name: string, { clusters, owned }: Pick<Gathering<never>, "clusters" | "owned">): SeenCluster {
  const view = clusters.find((each) => each.name === name);
  return { name, contact: contactOf(view), owned: view ? owned(name) : [] };
}

/** Whether a cluster is heard from. One that has no view is not connected (yet). */
export function contactOf(view: ClusterView | undefined): Contact {
  if (!view) return { state: "unreachable", cause: "it is not connected yet" };
  const { reachability, problem } = view;
  if (reachability.state === "observed") return { state: "observed" };
  const cause = reachability.state === "unreachable" ? reachability.cause : "its last answer is some time ago";
  // What was never seen whole has no age: nothing of it may be believed.
  const isSeen = hasBeenSeen(view);
  return {
    state: problem === undefined ? reachability.state : "unreachable",
    cause: problem ?? (isSeen ? cause : `it has not been seen yet: ${cause}`),
    ...(isSeen ? { lastHeardMs: reachability.sinceMs } : {}),
  };
}

function hasBeenSeen({ caches }: ClusterView): boolean {
  return ownedKinds.every(({ kind }) => caches.of(kind).hasSynced || !caches.of(kind).isServed);
}
