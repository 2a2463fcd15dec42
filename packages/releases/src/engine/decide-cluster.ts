// A Cluster's report (§4.4): whether it can be reached, as what version, and what is wrong with it.
import { Cluster, type ClusterStatus, releaseKeys } from "@chaski/api";
import { type ConditionClaim, findCondition, formatTimestamp, setConditions } from "@chaski/kube";
import { type Decision, decision, type EventNote, finalizerPatches } from "@chaski/runtime/decision";
import type { Contact } from "./world.ts";

export interface ClusterReportWorld {
  readonly nowMs: number;
  readonly cluster: Cluster;
  /** Undefined: it is no part of the fleet (yet). */
  readonly contact?: Contact;
  /** What is wrong with its definition or its new credentials. */
  readonly problem?: string;
  readonly version?: string;
}

export function decideCluster(world: ClusterReportWorld): Decision<ClusterStatus> {
  const { cluster } = world;
  const isWanted = cluster.metadata.deletionTimestamp === undefined;
  // Nothing is cleaned up for it; the finalizer is there because the API has it.
  const patches = finalizerPatches(Cluster, cluster, releaseKeys.finalizers.cluster, isWanted);
  if (!isWanted) return decision({ patches });
  const claims = [readyClaim(world), ...quarantineClaims(cluster), ...credentialsClaims(world)];
  return decision({
    status: statusOf(world, claims),
    patches,
    events: claims.flatMap((claim) => transitionEvents(cluster, claim)),
  });
}

function statusOf(
  { cluster, contact, version, nowMs }: ClusterReportWorld,
  claims: readonly ConditionClaim[],
): ClusterStatus {
  const before = cluster.status?.conditions?.filter(({ type }) => claims.some((claim) => claim.type === type));
  // Until a new process has asked, the last answer counts.
  const known = version ?? cluster.status?.kubernetes?.version ?? "";
  const kubernetes = { version: known, ready: contact?.state === "observed" };
  return {
    ...(cluster.spec.enabled ? { kubernetes } : {}),
    conditions: setConditions(before, claims, formatTimestamp(nowMs)),
  };
}

function readyClaim({ cluster, contact, problem }: ClusterReportWorld): ConditionClaim {
  if (!cluster.spec.enabled)
    return { type: "Ready", status: "False", reason: "Disabled", message: "releases do not use it" };
  if (!contact) return { type: "Ready", status: "Unknown", reason: "Connecting", message: "it is being connected" };
  if (contact.state === "observed")
    return { type: "Ready", status: "True", reason: "Observed", message: "it answers, and what it has is known" };
  if (problem !== undefined) return { type: "Ready", status: "False", reason: "Unusable", message: problem };
  const message = contact.cause ?? "nothing is heard from it";
  return contact.state === "stale"
    ? { type: "Ready", status: "Unknown", reason: "Stale", message }
    : { type: "Ready", status: "False", reason: "Unreachable", message };
}

/** Told only where it holds. */
function quarantineClaims({ metadata }: Cluster): readonly ConditionClaim[] {
  const reason = metadata.annotations?.[releaseKeys.annotations.quarantine];
  if (reason === undefined) return [];
  const message = `it holds no release back while it can't be observed: ${reason || "no reason given"}`;
  return [{ type: "Quarantined", status: "True", reason: "Annotated", message }];
}

/** The old credentials are in use while the new ones do not work. */
function credentialsClaims({ contact, problem }: ClusterReportWorld): readonly ConditionClaim[] {
  if (problem === undefined || contact?.state !== "observed") return [];
  return [{ type: "CredentialsRejected", status: "True", reason: "OldOnesInUse", message: problem }];
}

function transitionEvents({ status }: Cluster, claim: ConditionClaim): readonly EventNote[] {
  const before = findCondition(status?.conditions, claim.type);
  if (before?.status === claim.status && before.reason === claim.reason) return [];
  const isGood = claim.type === "Ready" ? claim.status !== "False" || claim.reason === "Disabled" : false;
  return [{ type: isGood ? "Normal" : "Warning", reason: `Cluster${claim.reason}`, message: claim.message }];
}
