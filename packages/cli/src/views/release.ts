// A release as people see it: all of it from the status of its ReleaseManager.
import type { ClusterStanding, IncarnationStatus, ReleaseManager } from "@chaski/api/kinds";
import { findCondition, isTrue } from "@chaski/kube";

export type Gate = NonNullable<NonNullable<ReleaseManager["status"]>["gates"]>[number];

export interface Release {
  /** `app/target`. */
  readonly name: string;
  readonly namespace: string;
  readonly fleet: string;
  readonly createdAt: string | undefined;
  /** Newest first. */
  readonly revisions: readonly IncarnationStatus[];
  readonly clusters: readonly ClusterStanding[];
  readonly gates: readonly Gate[];
  readonly rollback: { readonly tag: string; readonly taker: string } | undefined;
  readonly standing: Standing;
}

/** Where it stands, in a word and a sentence. */
export interface Standing {
  readonly type: "new" | "released" | "rolling back" | "stalled" | "waiting";
  readonly message: string;
  /** What it waits for. */
  readonly gate?: Gate;
}

export function releaseOf({ metadata, spec, status }: ReleaseManager): Release {
  const { namespace = "" } = metadata;
  const told = status && withShortNames(status, namespace);
  return {
    name: `${spec.app}/${spec.target}`,
    namespace,
    fleet: spec.fleet,
    createdAt: metadata.creationTimestamp,
    revisions: (told?.revisions ?? []).toReversed(),
    clusters: told?.clusters ?? [],
    gates: told?.gates ?? [],
    rollback: told?.rollback,
    standing: standingOf(told),
  };
}

/** Clusters without their namespace: it is the release's own. */
function withShortNames(status: ReleaseManagerStatus, namespace: string): ReleaseManagerStatus {
  const short = (text: string): string => text.replaceAll(`cluster ${namespace}/`, "cluster ");
  const gates = status.gates?.map((gate) => ({ ...gate, message: short(gate.message) }));
  const conditions = status.conditions?.map((each) => ({ ...each, message: short(each.message) }));
  return { ...status, ...(gates && { gates }), ...(conditions && { conditions }) };
}

function standingOf(status: ReleaseManager["status"]): Standing {
  if (!status) return { type: "new", message: "nothing was decided yet: is the operator running?" };
  const gate = status.gates?.find(({ verdict }) => verdict !== "passed");
  return { ...headlineOf(status, gate), ...(gate && !isTrue(status.conditions, "Released") ? { gate } : {}) };
}

function headlineOf(status: ReleaseManagerStatus, gate: Gate | undefined): Standing {
  const { conditions, rollback } = status;
  const stalled = findCondition(conditions, "Stalled");
  if (stalled?.status === "True") return { type: "stalled", message: stalled.message };
  if (rollback)
    return { type: "rolling back", message: `${rollback.taker || "nobody yet"} takes over from ${rollback.tag}` };
  const released = findCondition(conditions, "Released");
  if (released?.status === "True") return { type: "released", message: released.message };
  return { type: "waiting", message: gate?.message ?? (released ?? newest(status)).message };
}

type ReleaseManagerStatus = NonNullable<ReleaseManager["status"]>;

function newest({ revisions = [] }: ReleaseManagerStatus): { readonly message: string } {
  const last = revisions.at(-1);
  return { message: last ? `${last.tag} is ${last.state.current}` : "there is no revision" };
}

/** Those with traffic, newest first: `v3 20 %, v2 80 %`. */
export function trafficText({ revisions }: Release): string {
  const served = revisions.filter(({ currentPercent }) => currentPercent > 0);
  return served.map(({ tag, currentPercent }) => `${tag} ${currentPercent} %`).join(", ") || "–";
}
