import type { Deployment } from "@chaski/kube";
import { isSameProjection } from "@chaski/runtime";
import { hasMissedDeadline, sideOf } from "../engine/side.ts";

/**
 * Whether an update of a Deployment may change a decision. Its controller tells each pod several times on its way; one
 * that exists and is not available yet is waited for anyway.
 */
export function isNews(old: Readonly<Deployment>, deployment: Readonly<Deployment>): boolean {
  const [before, now] = [sideOf(old), sideOf(deployment)];
  return (
    now.available !== before.available ||
    Math.min(now.updated, now.available) !== Math.min(before.updated, before.available) ||
    now.existing < before.existing ||
    now.isObserved !== before.isObserved ||
    hasMissedDeadline(now) !== hasMissedDeadline(before) ||
    // The generation stands for all of the spec.
    !isSameProjection(withMetadataOnly(old), withMetadataOnly(deployment))
  );
}

function withMetadataOnly({ apiVersion, kind, metadata }: Readonly<Deployment>) {
  return { apiVersion, kind, metadata };
}
