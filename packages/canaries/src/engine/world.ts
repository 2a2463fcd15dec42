import type { Canary } from "@chaski/api";
import type { ControllerRevision, Deployment, HorizontalPodAutoscaler, KubeObject } from "@chaski/kube";
import type { ClusterResult } from "@chaski/runtime/decision";

/** All that a decision about one Canary may look at. */
export interface CanaryWorld {
  readonly nowMs: number;
  readonly canary: Canary;
  /** The pair, found by name, what is ours, and whatever may select the pair's pods or be selected by it. */
  readonly deployments: readonly Deployment[];
  /** Those that scale one of the pair. */
  readonly autoscalers: readonly HorizontalPodAutoscaler[];
  /** Other Canaries that name one of the pair. */
  readonly neighbours: readonly Canary[];
  /** Templates recorded for this Canary, in any order. */
  readonly history: readonly ControllerRevision[];
  /** Everything that is ours on the cluster. */
  readonly owned: readonly KubeObject[];
  readonly results: readonly ClusterResult[];
}

export function deploymentNamed(world: CanaryWorld, name: string): Deployment | undefined {
  return world.deployments.find(({ metadata }) => metadata.name === name);
}

/** Whether this Canary controls the object, by uid: a Canary of the same name made later does not. */
export function isControlledBy({ metadata }: KubeObject, canary: Canary): boolean {
  return (metadata.ownerReferences ?? []).some(
    (owner) => owner.controller === true && owner.uid === canary.metadata.uid,
  );
}

export function controllerOf({ metadata }: KubeObject): { readonly kind: string; readonly name: string } | undefined {
  return (metadata.ownerReferences ?? []).find((owner) => owner.controller === true);
}

/** The Deployments that a Canary names. Read without the parser: a Canary with a bad spec still names its Deployments. */
export function namedDeployments({ metadata, spec }: Canary): readonly string[] {
  const given = spec.info ?? spec;
  const names = [given["newDeploymentName"] ?? metadata.name, given["oldDeploymentName"]];
  return names.filter((name) => typeof name === "string");
}
