// What holds a promotion where it is (rule 3): people, clusters that nobody sees, routes that have not arrived, judges.
import { releaseKeys } from "@chaski/api";
import { parseKey } from "@chaski/kube";
import type { Gate } from "@chaski/runtime/decision";
import { contactText } from "./contact-text.ts";
import { pauseReason } from "./facts.ts";
import { factorFor, type Fleet, type FleetCluster, unobserved } from "./fleet.ts";
import { type Incarnation, percentOf } from "./incarnation.ts";
import { isJudgeIgnored } from "./judges.ts";
import { isLeaving } from "./states.ts";
import { sinceOf, timestampText } from "./time-text.ts";
import type { Evidence, ReleaseWorld } from "./world.ts";

export interface Holding {
  readonly world: ReleaseWorld;
  readonly fleet: Fleet;
  /** Whose split has to be seen: as they stood when the pass began, or for the gates as it leaves them. */
  readonly incarnations: readonly Incarnation[];
  readonly hasRoutes: boolean;
}

/** Gates that are closed for this incarnation; none: it may grow. */
export function holdsOf(incarnation: Incarnation, holding: Holding): readonly Gate[] {
  return [
    ...pauseGates(holding.world, incarnation.tag),
    ...observationGates(holding, incarnation),
    ...splitGates(holding, incarnation),
    ...evidenceGates(holding.world, incarnation),
  ];
}

export function pauseGates(world: ReleaseWorld, subject: string): readonly Gate[] {
  const reason = pauseReason(world);
  if (reason === undefined) return [];
  const who = world.releaseManager.metadata.annotations?.[releaseKeys.annotations.pausedBy];
  return [
    {
      name: "Paused",
      verdict: "waiting",
      subject,
      message: `the release is paused: ${reason || "no reason given"}${who ? ` (by ${who})` : ""}`,
      unblock: `chaski resume ${commandName(world)}, or remove the annotation ${releaseKeys.annotations.paused}`,
    },
  ];
}

/** As people name it to the command line. */
export function commandName({ releaseManager: { spec } }: ReleaseWorld): string {
  return `${spec.app}/${spec.target}`;
}

function nameOf(key: string): string {
  return parseKey(key).name;
}

function observationGates({ fleet }: Holding, { tag }: Incarnation): readonly Gate[] {
  return unobserved(fleet).map(({ name, world: { contact } }) => ({
    name: "Observed",
    verdict: "unknown",
    subject: tag,
    cluster: name,
    value: contact.state,
    threshold: "observed",
    message: `cluster ${name} is ${contactText(contact)}`,
    unblock: `the cluster answers again, or chaski clusters quarantine ${nameOf(name)} sets it aside`,
    ...(contact.lastHeardMs === undefined ? {} : { since: timestampText(contact.lastHeardMs) }),
  }));
}

/** The last split must have arrived everywhere before the next one is made. */
function splitGates({ fleet, incarnations, hasRoutes }: Holding, incarnation: Incarnation): readonly Gate[] {
  const weighted = incarnations.filter((candidate) => percentOf(candidate) > 0);
  if (!hasRoutes || weighted.length === 0) return [];
  return fleet.live
    .filter((cluster) => factorFor(cluster, incarnation.revision) > 0)
    .filter((cluster) => !hasSplit(cluster, weighted))
    .map((cluster) => ({
      name: "SplitObserved",
      verdict: "waiting",
      subject: incarnation.tag,
      cluster: cluster.name,
      value: describeWeights(cluster.world.route?.weights ?? {}),
      threshold: describeWeights(Object.fromEntries(weighted.map((entry) => [entry.tag, percentOf(entry)]))),
      message: `the last split has not been seen on cluster ${cluster.name} yet`,
      ...sinceOf(lastSplit(weighted)),
      unblock: "its pods become ready there and its route is written",
    }));
}

/** When the split was decided. */
function lastSplit(weighted: readonly Incarnation[]): string | undefined {
  return weighted
    .flatMap(({ status }) => status.lastUpdated ?? [])
    .toSorted()
    .at(-1);
}

/** What leaves is never raised anywhere, so a cluster where it has less already is not waited for. */
function hasSplit({ world }: FleetCluster, weighted: readonly Incarnation[]): boolean {
  const live = world.route?.weights ?? {};
  return weighted.every((entry) => isLeaving(entry.state) || (live[entry.tag] ?? 0) >= percentOf(entry));
}

function describeWeights(weights: Readonly<Record<string, number>>): string {
  const parts = Object.entries(weights).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return parts.length === 0 ? "none" : parts.map(([tag, weight]) => `${tag} ${weight}`).join(", ");
}

function evidenceGates(world: ReleaseWorld, incarnation: Incarnation): readonly Gate[] {
  return (world.evidence[incarnation.tag] ?? [])
    .filter((evidence) => doesHold(evidence, world, incarnation))
    .map((evidence) => ({
      name: "Evidence",
      subject: incarnation.tag,
      ...(evidence.verdict === "unknown" ? unknownEvidence(evidence) : badEvidence(evidence)),
      ...(evidence.sinceMs === undefined ? {} : { since: timestampText(evidence.sinceMs) }),
    }));
}

type Judgement = Pick<Gate, "verdict" | "value" | "message" | "unblock">;

function unknownEvidence({ judge, cause = "no answer" }: Evidence): Judgement {
  const message = `${judge} can't say whether it is good: ${cause}`;
  return { verdict: "unknown", value: cause, message, unblock: `${judge} answers` };
}

function badEvidence({ judge, alerts = [] }: Evidence): Judgement {
  const fired = alerts.join(", ");
  return {
    verdict: "failed",
    value: fired,
    message: `${judge} says it is bad${fired === "" ? "" : `: ${fired}`}`,
    unblock: "nothing: its traffic goes back; release a mended revision",
  };
}

/** A verdict of bad is about to fail the Revision, as long as it may; unknown holds by policy (§17.4). */
function doesHold(
  { judge, verdict }: Evidence,
  { releaseManager, flags }: ReleaseWorld,
  { revision, status }: Incarnation,
): boolean {
  if (verdict === "pass" || !revision || isJudgeIgnored(revision, judge)) return false;
  if (verdict === "fail") return (status.wonPercent ?? 0) < flags.judgeUntilPercent;
  const policy = revision.metadata.annotations?.[releaseKeys.onUnknownAnnotation(releaseManager.spec.target)];
  return policy !== "proceed";
}
