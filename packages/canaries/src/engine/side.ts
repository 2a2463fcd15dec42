import type { Deployment } from "@chaski/kube";

/** What counts of one of the two Deployments. An absent one has no pods and nothing left to observe. */
export interface Side {
  readonly deployment: Deployment | undefined;
  /** Asked for. */
  readonly replicas: number;
  readonly available: number;
  /** Available with the present template. */
  readonly updated: number;
  /** Pods that exist, in whatever state. */
  readonly existing: number;
  /** Whether the numbers above speak of the present spec. */
  readonly isObserved: boolean;
}

/** The two Deployments of a release. */
export interface Pair {
  readonly older: Side;
  readonly newer: Side;
}

const DEFAULT_REPLICAS = 1;

const ABSENT: Side = { deployment: undefined, replicas: 0, available: 0, updated: 0, existing: 0, isObserved: true };

export function sideOf(deployment: Deployment | undefined): Side {
  if (!deployment) return ABSENT;
  const { availableReplicas = 0, updatedReplicas = 0, replicas = 0, observedGeneration = 0 } = deployment.status ?? {};
  return {
    deployment,
    replicas: deployment.spec.replicas ?? DEFAULT_REPLICAS,
    available: availableReplicas,
    updated: updatedReplicas,
    existing: replicas,
    isObserved: observedGeneration >= (deployment.metadata.generation ?? 1),
  };
}

/** No pods, and none asked for. */
export function isEmpty({ isObserved, replicas, existing }: Side): boolean {
  return isObserved && replicas === 0 && existing === 0;
}

/** Whether the Deployment controller has given up waiting for its pods. */
export function hasMissedDeadline({ deployment }: Side): boolean {
  return (deployment?.status?.conditions ?? []).some(
    ({ type, reason }) => type === "Progressing" && reason === "ProgressDeadlineExceeded",
  );
}
