import { Canary } from "@chaski/api";
import { ControllerRevision, Deployment, HorizontalPodAutoscaler, type KubeObject } from "@chaski/kube";
import { type Gathering, LOCAL_CLUSTER } from "@chaski/runtime";
import type { CanaryWorld } from "../engine/world.ts";
import { isControlledBy } from "../engine/world.ts";

export function gatherCanary({ object: canary, caches, nowMs, owned, results }: Gathering<Canary>): CanaryWorld {
  const { name, namespace = "" } = canary.metadata;
  const ours = owned(LOCAL_CLUSTER);
  return {
    nowMs,
    canary,
    deployments: caches.of(Deployment).inNamespace(namespace).list(),
    autoscalers: caches.of(HorizontalPodAutoscaler).inNamespace(namespace).list(),
    neighbours: caches
      .of(Canary)
      .inNamespace(namespace)
      .list()
      .filter((other) => other.metadata.name !== name),
    history: ours.filter(isRevision).filter((revision) => isControlledBy(revision, canary)),
    owned: ours,
    results,
  };
}

function isRevision(object: KubeObject): object is ControllerRevision {
  return object.kind === ControllerRevision.kind;
}
