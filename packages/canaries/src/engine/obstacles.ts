// What forbids a release to touch its Deployments (spec §10). Each is checked again when the object in the way changes.
import type { Canary, CanaryRequest } from "@chaski/api";
import type { Stall } from "@chaski/runtime/decision";
import { doOverlap, podsOf, podsOfNewer } from "./selectors.ts";
import { type CanaryWorld, controllerOf, deploymentNamed, isControlledBy, namedDeployments } from "./world.ts";

type Check = (world: CanaryWorld, request: CanaryRequest) => Stall | undefined;

const CHECKS: readonly Check[] = [contested, newerIsForeign, olderIsControlled, autoscaled, overlapping];

export function findObstacle(world: CanaryWorld, request: CanaryRequest): Stall | undefined {
  for (const check of CHECKS) {
    const obstacle = check(world, request);
    if (obstacle) return obstacle;
  }
  return undefined;
}

function namesOf(request: CanaryRequest): readonly string[] {
  return [...new Set([request.newName, ...(request.oldName === undefined ? [] : [request.oldName])])];
}

/** Two Canaries name one Deployment: the older Canary wins, the name breaks ties. */
function contested({ canary, neighbours }: CanaryWorld, request: CanaryRequest): Stall | undefined {
  const names = namesOf(request);
  for (const rival of neighbours) {
    const shared = namedDeployments(rival).find((name) => names.includes(name));
    if (shared === undefined || isBefore(canary, rival)) continue;
    const message = `Deployment ${shared} belongs to Canary ${rival.metadata.name}, which is older: name another Deployment, or delete that Canary`;
    return { reason: "DeploymentContested", message };
  }
  return undefined;
}

function isBefore({ metadata: a }: Canary, { metadata: b }: Canary): boolean {
  const [aTime, bTime] = [a.creationTimestamp ?? "", b.creationTimestamp ?? ""];
  return aTime === bTime ? a.name < b.name : aTime < bTime;
}

function newerIsForeign(world: CanaryWorld, { newName }: CanaryRequest): Stall | undefined {
  const newer = deploymentNamed(world, newName);
  if (!newer || isControlledBy(newer, world.canary)) return undefined;
  const message = `Deployment ${newName} exists and is not managed by this Canary: delete it, or choose another newDeploymentName`;
  return { reason: "ErrResourceExists", message };
}

function olderIsControlled(world: CanaryWorld, { oldName }: CanaryRequest): Stall | undefined {
  const older = oldName === undefined ? undefined : deploymentNamed(world, oldName);
  const controller = older && controllerOf(older);
  if (!older || !controller || isControlledBy(older, world.canary)) return undefined;
  const message = `Deployment ${older.metadata.name} is controlled by ${controller.kind} ${controller.name}: a release can't scale it`;
  return { reason: "DeploymentControlled", message };
}

/** Two writers on `replicas` oscillate. A NormalDeploy that asks for no replicas writes none. */
function autoscaled({ autoscalers }: CanaryWorld, request: CanaryRequest): Stall | undefined {
  if (request.isAutoscalerAllowed || (request.type === "NormalDeploy" && request.replicas === undefined))
    return undefined;
  const names = namesOf(request);
  for (const { metadata, spec } of autoscalers) {
    const target = spec?.scaleTargetRef;
    if (target?.kind !== "Deployment" || !names.includes(target.name)) continue;
    const message = `HorizontalPodAutoscaler ${metadata.name} scales Deployment ${target.name}: remove it for the release, or set allowAutoscaler: true`;
    return { reason: "AutoscalerPresent", message };
  }
  return undefined;
}

/** Selectors that reach into each other's pods make autoscalers and disruption budgets miscount. */
function overlapping(world: CanaryWorld, request: CanaryRequest): Stall | undefined {
  const newer = podsOfNewer(world, request);
  // The older Deployment may have been there before us with a broad selector: it is warned about, and goes soon.
  const others = world.deployments.filter(
    ({ metadata: { name } }) => name !== request.newName && name !== request.oldName,
  );
  const other = newer && others.find((candidate) => doOverlap(newer, podsOf(candidate)));
  if (!other) return undefined;
  const message = `the selectors of Deployments ${request.newName} and ${other.metadata.name} match each other's pods: give them labels that tell them apart`;
  return { reason: "SelectorOverlap", message };
}
