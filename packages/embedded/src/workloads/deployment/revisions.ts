// Every template that a Deployment has had is a revision, numbered in an annotation of its ReplicaSet.
import type { Deployment, ReplicaSet } from "@chaski/kube";
import { maxSurge, replicasOf } from "./bounds.ts";

const PREFIX = "deployment.kubernetes.io/";
export const REVISION = `${PREFIX}revision`;
export const DESIRED_REPLICAS = `${PREFIX}desired-replicas`;
export const MAX_REPLICAS = `${PREFIX}max-replicas`;
const REVISION_HISTORY = `${PREFIX}revision-history`;
const NOT_COPIED = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  "deprecated.deployment.rollback.to",
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
]);
const LONGEST_HISTORY = 2_000;

type Annotations = Readonly<Record<string, string>>;

export function revisionOf({ metadata }: ReplicaSet): number {
  return Number.parseInt(metadata.annotations?.[REVISION] ?? "0", 10) || 0;
}

export function nextRevision(olders: readonly ReplicaSet[]): number {
  return Math.max(0, ...olders.map(revisionOf)) + 1;
}

/** The annotations that the ReplicaSet of the current template has: the Deployment's, its revision, those that it had. */
export function annotationsOfNewer(deployment: Deployment, before: Annotations, revision: number): Annotations {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !NOT_COPIED.has(name));
  const annotations = { ...before, ...Object.fromEntries(copied) };
  const known = before[REVISION];
  if (Number(known ?? 0) >= revision) return annotations;
  const revised = { ...annotations, [REVISION]: `${revision}` };
  return known === undefined ? revised : { ...revised, [REVISION_HISTORY]: historyWith(before, known) };
}

function historyWith(before: Annotations, revision: string): string {
  const known = before[REVISION_HISTORY] ?? "";
  const revisions = known === "" ? [revision] : [...known.split(","), revision];
  while (revisions.join(",").length > LONGEST_HISTORY) revisions.shift();
  return revisions.join(",");
}

/** What the Deployment wanted when it last scaled the ReplicaSet: how a later scaling is noticed, and shared out. */
export function scaleAnnotations(deployment: Deployment): Annotations {
  const replicas = replicasOf(deployment);
  return { [DESIRED_REPLICAS]: `${replicas}`, [MAX_REPLICAS]: `${replicas + maxSurge(deployment)}` };
}

export function annotatedNumber({ metadata }: ReplicaSet, name: string): number | undefined {
  const text = metadata.annotations?.[name];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

export function sameAnnotations(left: Annotations, right: Annotations): boolean {
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name]);
}
