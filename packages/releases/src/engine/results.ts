// What came of the last decision on each cluster: what a server refuses, or somebody else has, is told where it happened.
import { describeRef, type Ref } from "@chaski/kube";
import { type EntryResult, type EventNote, type Gate, isUnmet, type Unmet, verdictKey } from "@chaski/runtime/decision";
import type { ReleaseWorld } from "./world.ts";

/** Tried again at once, or told by another gate: a cluster that nobody reaches, a kind that it does not serve. */
const PASSING = new Set([
  "Cancelled",
  "ClusterUnreachable",
  "Conflict",
  "ConnectionLost",
  "NoLongerLeader",
  "NotServed",
  "NotSynced",
  "ServerError",
  "SourceChanged",
  "Timeout",
  "TooManyRequests",
  "UnknownCluster",
]);

export function resultGates({ results = [], clusters }: ReleaseWorld): readonly Gate[] {
  const present = new Set(clusters.map(({ name }) => name));
  return results
    .filter(({ cluster }) => present.has(cluster))
    .flatMap(({ cluster, entries }) => entries.filter(isLasting).map((result) => gateOf(cluster, result)));
}

function isLasting(result: EntryResult): result is Unmet {
  return isUnmet(result) && !(result.outcome === "failed" && PASSING.has(result.reason));
}

function gateOf(cluster: string, result: Unmet): Gate {
  if (result.outcome === "failed") return refusedGate(cluster, result);
  return {
    name: "Ownership",
    verdict: "waiting",
    cluster,
    subject: describeRef(result.ref),
    value: result.outcome,
    message: result.message,
    unblock: "the object goes, or is given to this release",
  };
}

type Failed = Extract<Unmet, { readonly outcome: "failed" }>;

function refusedGate(cluster: string, { ref, reason, message }: Failed): Gate {
  const subject = describeRef(ref);
  return {
    name: "Applied",
    verdict: "failed",
    cluster,
    subject,
    value: reason,
    message:
      reason === "Terminating"
        ? `${message} on cluster ${cluster}`
        : `${subject} could not be written on cluster ${cluster}: ${message}`,
    unblock: `${helpFor(ref, reason, message)}; it is tried again by itself`,
  };
}

function helpFor({ kind, name }: Ref, reason: string, message: string): string {
  if (reason === "Terminating")
    return `kubectl describe ${kind.kind.toLowerCase()} ${name} tells what keeps it: let that go`;
  if (/admission webhook|ValidatingAdmissionPolicy/.test(message))
    return "release a Revision that satisfies it, or change the policy of the cluster";
  if (reason === "Forbidden") return "give the account of the Cluster's Secret the rights of config/target/rbac.yaml";
  return reason === "Invalid" ? "correct it in the Revision" : "see that the cluster accepts it";
}

/** Told once, when it begins. */
export function refusalEvents(gates: readonly Gate[], { releaseManager }: ReleaseWorld): readonly EventNote[] {
  const before = new Set((releaseManager.status?.gates ?? []).map(verdictKey));
  return gates
    .filter((gate) => !before.has(verdictKey(gate)))
    .map(({ name, message }) => ({ type: "Warning", reason: name === "Applied" ? "ApplyFailed" : "NotOurs", message }));
}
