// A release as people see it: all of it from the status of its ReleaseManager.
import { type ClusterStanding, type IncarnationStatus, type ReleaseManager, releaseKeys } from "@chaski/api/kinds";
import { findCondition, isTrue, type ObjectMeta } from "@chaski/kube";

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
  readonly type: "new" | "paused" | "released" | "rolling back" | "rolled back" | "stalled" | "waiting";
  readonly message: string;
  /** What it waits for. */
  readonly gate?: Gate;
}

export function releaseOf(manager: ReleaseManager): Release {
  const release = toldBy(manager);
  const { standing, name, gates } = release;
  const pause = standing.type === "released" ? pauseOf(manager.metadata, name) : undefined;
  if (!pause) return release;
  const message = `${pause.message}; ${standing.message}`;
  return { ...release, gates: [...gates, pause], standing: { type: "paused", message, gate: pause } };
}

function toldBy({ metadata, spec, status }: ReleaseManager): Release {
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

/** Of a release that has nothing on its way, and so no gate that says it. */
function pauseOf({ annotations = {} }: ObjectMeta, name: string): Gate | undefined {
  const { paused, pausedBy } = releaseKeys.annotations;
  const reason = annotations[paused];
  if (reason === undefined) return undefined;
  const who = annotations[pausedBy];
  return {
    name: "Paused",
    verdict: "waiting",
    message: `${reason || "no reason given"}${who ? ` (by ${who})` : ""}`,
    unblock: `chaski resume ${name}, or remove the annotation ${paused}`,
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
  const gate = status.gates?.find((each) => each.verdict !== "passed" && concerns(each, status));
  const headline = headlineOf(status, gate);
  return { ...headline, ...(gate && headline.type !== "released" ? { gate } : {}) };
}

/** Once something is released, what is older leaves or has had its time: nobody waits for it. */
function concerns({ subject }: Gate, { conditions, revisions = [] }: ReleaseManagerStatus): boolean {
  const index = revisions.findIndex(({ tag }) => tag === subject);
  if (index < 0 || !isTrue(conditions, "Released")) return true;
  return index > revisions.findLastIndex(({ state }) => state.current === "released");
}

function headlineOf(status: ReleaseManagerStatus, gate: Gate | undefined): Standing {
  const { conditions, rollback } = status;
  const stalled = findCondition(conditions, "Stalled");
  if (stalled?.status === "True") return { type: "stalled", message: stalled.message };
  if (rollback) return { type: "rolling back", message: rollbackText(rollback, gate) };
  if (gate) return { type: isFailed(status, gate.subject) ? "rolled back" : "waiting", message: gate.message };
  const released = findCondition(conditions, "Released");
  const type = released?.status === "True" ? "released" : "waiting";
  return { type, message: (released ?? newest(status)).message };
}

function rollbackText(
  { tag, taker }: { readonly tag: string; readonly taker: string },
  gate: Gate | undefined,
): string {
  const cause = gate?.subject === tag && gate.name !== "Rollback" ? `: ${gate.message}` : "";
  return `${taker || "nobody yet"} takes over from ${tag}${cause}`;
}

function isFailed({ revisions = [] }: ReleaseManagerStatus, subject: string | undefined): boolean {
  return revisions.some(({ tag, state }) => tag === subject && FAILED.has(state.current));
}

const FAILED = new Set(["failing", "failed"]);

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
