// What keeps the pods of a revision from becoming ready, cluster by cluster.
import type { Gate } from "@chaski/runtime/decision";
import type { PodTrouble, PodTroubleKind } from "../pods/pod-trouble.ts";
import type { Fleet } from "./fleet.ts";
import type { Incarnation } from "./incarnation.ts";
import { isLeaving } from "./states.ts";
import { timestampText } from "./time-text.ts";

export function podGates(
  incarnations: readonly Incarnation[],
  { clusters }: Fleet,
  namespace: string,
): readonly Gate[] {
  const staying = incarnations.filter(({ state }) => !isLeaving(state));
  return staying.flatMap(({ tag }) =>
    clusters.flatMap(({ name: cluster, world }) =>
      (world.podTroubles?.[tag] ?? []).map((trouble) => podGate(trouble, { tag, cluster, namespace })),
    ),
  );
}

interface Where {
  readonly tag: string;
  readonly cluster: string;
  readonly namespace: string;
}

function podGate(trouble: PodTrouble, where: Where): Gate {
  const { tag, cluster } = where;
  const { word, verdict } = WORDS[trouble.kind];
  const count = `${trouble.pods} of ${trouble.of} pods of ${tag} on cluster ${cluster}`;
  return {
    name: "PodsStart",
    verdict,
    subject: tag,
    cluster,
    value: REASONS[trouble.kind],
    message: `${count} ${word(trouble)}: ${trouble.said || "nobody says why"}`,
    unblock: helpFor(trouble, where),
    ...(trouble.sinceMs === undefined ? {} : { since: timestampText(trouble.sinceMs) }),
  };
}

const WORDS: Readonly<
  Record<PodTroubleKind, { readonly verdict: Gate["verdict"]; readonly word: (trouble: PodTrouble) => string }>
> = {
  image: { verdict: "failed", word: ({ image }) => `can't pull image ${image}` },
  crash: { verdict: "failed", word: ({ container }) => `crash in container ${container}` },
  config: { verdict: "failed", word: ({ container }) => `can't start container ${container}` },
  node: { verdict: "waiting", word: () => "have no node to run on" },
};

const REASONS: Readonly<Record<PodTroubleKind, string>> = {
  image: "ImagePullBackOff",
  crash: "CrashLoopBackOff",
  config: "CreateContainerConfigError",
  node: "Unschedulable",
};

function helpFor(trouble: PodTrouble, where: Where): string {
  switch (trouble.kind) {
    case "image":
      return imageHelp(trouble.said, where);
    case "crash":
      return trouble.said.includes("OOMKilled")
        ? "give its target more memory in a new Revision"
        : `mend it in a new Revision; its last words: kubectl -n ${where.namespace} logs ${trouble.example} --previous`;
    case "config":
      return `correct what it is configured by; all of it: kubectl -n ${where.namespace} describe pod ${trouble.example}`;
    case "node":
      return "add nodes to the cluster, or release a Revision that asks for less";
  }
}

function imageHelp(said: string, { namespace, cluster }: Where): string {
  if (/unauthori[sz]ed|denied|forbidden|40[13]\b/i.test(said))
    return `let the cluster pull: an image pull secret for the service account in namespace ${namespace}`;
  if (/not found|manifest unknown|does not exist|404\b/i.test(said))
    return "push the image, or release a Revision with one that exists; it is tried again by itself";
  return `check that the nodes of ${cluster} reach the registry; it is tried again by itself`;
}
