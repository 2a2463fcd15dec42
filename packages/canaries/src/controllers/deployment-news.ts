import type { Deployment } from "@chaski/kube";
import { isSameProjection, type Urgency } from "@chaski/runtime";
import { hasMissedDeadline, sideOf } from "../engine/side.ts";

/**
 * Whether an update of a Deployment may change a decision. Its controller tells each pod several times on its way; one
 * that exists and is not available yet is waited for anyway.
 */
export function isNews(old: Readonly<Deployment>, deployment: Readonly<Deployment>): boolean {
  return isObservation(old, deployment) || hasMoved(old, deployment);
}

/** That its controller has seen a change is followed by what it does about it, unless there is nothing to do. */
export function urgencyOf(deployment: Readonly<Deployment>, old: Readonly<Deployment> | undefined): Urgency {
  if (!old || hasMoved(old, deployment)) return "soon";
  const { replicas, available, existing } = sideOf(deployment);
  const isSettled = available === replicas && existing === replicas;
  return isObservation(old, deployment) && isSettled ? "soon" : "later";
}

function isObservation(old: Readonly<Deployment>, deployment: Readonly<Deployment>): boolean {
  return !sideOf(old).isObserved && sideOf(deployment).isObserved;
}

function hasMoved(old: Readonly<Deployment>, deployment: Readonly<Deployment>): boolean {
  const [before, now] = [sideOf(old), sideOf(deployment)];
  return (
    now.available !== before.available ||
    Math.min(now.updated, now.available) !== Math.min(before.updated, before.available) ||
    now.existing < before.existing ||
    hasMissedDeadline(now) !== hasMissedDeadline(before) ||
    // The generation stands for all of the spec.
    !isSameProjection(withMetadataOnly(old), withMetadataOnly(deployment))
  );
}

function withMetadataOnly({ apiVersion, kind, metadata }: Readonly<Deployment>) {
  return { apiVersion, kind, metadata };
}
