import { Canary } from "@chaski/api";
import { ControllerRevision, Deployment, HorizontalPodAutoscaler, type KubeObject, keyOf } from "@chaski/kube";
import { type Caches, type Gathering, LOCAL_CLUSTER } from "@chaski/runtime";
import { claimOfNewer } from "../engine/selectors.ts";
import { type CanaryWorld, isControlledBy, namedDeployments } from "../engine/world.ts";
import { BY_DEPLOYMENT, BY_TARGET, rivalsOf } from "./indices.ts";

export function gatherCanary({ object: canary, caches, nowMs, owned, results }: Gathering<Canary>): CanaryWorld {
  const { name, namespace = "" } = canary.metadata;
  const ours = owned(LOCAL_CLUSTER);
  const keys = namedDeployments(canary).map((deployment) => keyOf({ namespace, name: deployment }));
  return {
    nowMs,
    canary,
    deployments: [...new Set([...concerned(canary, caches), ...ours.filter(isDeployment)])],
    autoscalers: keys.flatMap((key) => caches.of(HorizontalPodAutoscaler).byIndex(BY_TARGET, key)),
    neighbours: keys
      .flatMap((key) => caches.of(Canary).byIndex(BY_DEPLOYMENT, key))
      .filter((other) => other.metadata.name !== name),
    history: ours.filter(isRevision).filter((revision) => isControlledBy(revision, canary)),
    owned: ours,
    results,
  };
}

/** The pair, and whatever its newer half could take pods from or lose them to. */
function concerned(canary: Canary, caches: Caches): readonly Deployment[] {
  const { namespace = "" } = canary.metadata;
  const cache = caches.of(Deployment);
  const inPlace = cache.inNamespace(namespace);
  const pair = namedDeployments(canary).flatMap((name) => inPlace.get(name) ?? []);
  const [newName = "", oldName] = namedDeployments(canary);
  const older = oldName === undefined ? undefined : inPlace.get(oldName);
  const claim = claimOfNewer(newName, inPlace.get(newName), older);
  const lookup = { namespace, list: () => inPlace.list(), byIndex: cache.byIndex.bind(cache) };
  return claim ? [...pair, ...rivalsOf(claim, lookup)] : pair;
}

function isRevision(object: KubeObject): object is ControllerRevision {
  return object.kind === ControllerRevision.kind;
}

function isDeployment(object: KubeObject): object is Deployment {
  return object.kind === Deployment.kind;
}
