// What came of the last decision on each cluster: what a server refuses, or somebody else has, is told where it happened.
import { describeRef } from "@chaski/kube";
import { type EventNote, type Gate, verdictKey } from "@chaski/runtime/decision";
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
    .flatMap(({ cluster, entries }) =>
      entries.flatMap((result): readonly Gate[] => {
        const subject = describeRef(result.ref);
        if (result.outcome === "failed" && !PASSING.has(result.reason)) return [refusedGate(cluster, subject, result)];
        if (result.outcome === "foreign" || result.outcome === "ignored")
          return [
            {
              name: "Ownership",
              verdict: "waiting",
              cluster,
              subject,
              value: result.outcome,
              message: result.message,
              unblock: "the object goes, or is given to this release",
            },
          ];
        return [];
      }),
    );
}

function refusedGate(cluster: string, subject: string, { reason, message }: { reason: string; message: string }): Gate {
  return {
    name: "Applied",
    verdict: "failed",
    cluster,
    subject,
    value: reason,
    message: `${subject} could not be written on cluster ${cluster}: ${message}`,
    unblock: "the cluster accepts it; it is tried again and again",
  };
}

/** Told once, when it begins. */
export function refusalEvents(gates: readonly Gate[], { releaseManager }: ReleaseWorld): readonly EventNote[] {
  const before = new Set((releaseManager.status?.gates ?? []).map(verdictKey));
  return gates
    .filter((gate) => !before.has(verdictKey(gate)))
    .map(({ name, message }) => ({ type: "Warning", reason: name === "Applied" ? "ApplyFailed" : "NotOurs", message }));
}
