// CanaryRollback: of a pair, the older Deployment takes over again; of one Deployment, its container goes back (spec §7).
import type { CanaryStatus, ContainerRequest, RollbackRequest } from "@chaski/api";
import { defined, type Deployment } from "@chaski/kube";
import { type Decision, type Entry, scale } from "@chaski/runtime/decision";
import { applyDeployment, deploymentRef } from "../objects/deployment.ts";
import { type RecordedTemplate, recordedTemplates, recordTemplate } from "../objects/history.ts";
import { containerRequestOf, runs } from "../objects/template.ts";
import { adoption } from "./adoption.ts";
import { type Draining, drainEntries, isDrained } from "./draining.ts";
import { availabilityGate, obstacleGate, specGate } from "./gates.ts";
import { revisionOf } from "./identity.ts";
import { decided, halted } from "./outcome.ts";
import { rollbackEvents, rollbackGates, rollbackInfo } from "./rollback-report.ts";
import { sideOf } from "./side.ts";
import { type CanaryWorld, deploymentNamed } from "./world.ts";

export function decideRollback(world: CanaryWorld, request: RollbackRequest): Decision<CanaryStatus> {
  return request.oldName === request.newName ? rollBackInPlace(world, request) : rollBackPair(world, request);
}

function rollBackPair(world: CanaryWorld, request: RollbackRequest): Decision<CanaryStatus> {
  const { canary } = world;
  const draining: Draining = {
    restoredName: request.oldName,
    restored: sideOf(deploymentNamed(world, request.oldName)),
    drainedName: request.newName,
    drained: sideOf(deploymentNamed(world, request.newName)),
    total: request.replicas ?? 0,
  };
  const restoring = restoreEntries(world, draining);
  if (!restoring) {
    const message = `Deployment ${request.oldName} is gone and no template of it is recorded: create it, then the rollback goes on`;
    return halted(world, { reason: "NothingToRestore", message }, [specGate(), obstacleGate()]);
  }
  const isDone = isDrained(draining);
  return decided(world, {
    entries: [...restoring, ...drainEntries(canary, draining)],
    gates: rollbackGates(draining),
    events: rollbackEvents(world, isDone),
    status: { ...rollbackInfo(draining, isDone), type: request.type, ...imageOf(world, request.oldName) },
    phase: isDone ? "Complete" : "Progressing",
  });
}

/** The older Deployment as it is, or made again from what was recorded of it; undefined if neither can be had. */
function restoreEntries(world: CanaryWorld, draining: Draining): Entry[] | undefined {
  const { canary, history } = world;
  const { restored, restoredName, total } = draining;
  if (restored.deployment) return [...recordTemplate(canary, history), ...adoption(world, restoredName)];
  const recorded = recordedTemplates(history).find(({ deployment }) => deployment === restoredName);
  if (!recorded) return undefined;
  const container = containerRequestOf(recorded.template, canary.metadata.name);
  const build = { name: restoredName, container, base: recorded.template, replicas: total, isOfPair: true };
  return [...recordTemplate(canary, history), applyDeployment(canary, build)];
}

function rollBackInPlace(world: CanaryWorld, request: RollbackRequest): Decision<CanaryStatus> {
  const deployment = deploymentNamed(world, request.newName);
  if (!deployment) {
    const message = `Deployment ${request.newName} does not exist: there is nothing to roll back`;
    return halted(world, { reason: "NothingToRestore", message }, [specGate(), obstacleGate()]);
  }
  const side = sideOf(deployment);
  const container = settledTarget(world, request);
  const replicas = request.replicas ?? side.replicas;
  const isCurrent = runs(deployment, world.canary.metadata.name, container);
  const isDone = isCurrent && side.isObserved && Math.min(side.available, side.updated) >= replicas;
  return decided(world, {
    entries: inPlaceEntries(world, request, { deployment, container, replicas }),
    gates: [specGate(), obstacleGate(), availabilityGate(request.newName, side, replicas)],
    events: rollbackEvents(world, isDone),
    status: defined({
      info: { rollbackStatus: isDone ? "Finished" : "Ing" },
      type: request.type,
      rollback: { request: revisionOf(request), ...container },
      image: container.image,
      availableReplicas: side.available,
      paused: false,
    }),
    phase: isDone ? "Complete" : "Progressing",
  });
}

interface InPlace {
  readonly deployment: Deployment;
  readonly container: ContainerRequest;
  readonly replicas: number;
}

function inPlaceEntries({ canary, history }: CanaryWorld, request: RollbackRequest, inPlace: InPlace): Entry[] {
  const { deployment, container, replicas } = inPlace;
  const { name } = deployment.metadata;
  return [
    ...recordTemplate(canary, history, deployment),
    applyDeployment(canary, { name, container, base: deployment.spec.template, replicas, isOfPair: false }),
    ...(request.replicas === undefined ? [] : [scale(deploymentRef(canary, name), replicas)]),
  ];
}

/**
 * What to go back to is settled when the rollback starts: afterwards the running image is the restored one, and asking
 * again would turn it round.
 */
function settledTarget(world: CanaryWorld, request: RollbackRequest): ContainerRequest {
  const { canary, history } = world;
  const settled = canary.status?.rollback;
  if (settled?.request === revisionOf(request)) {
    const { request: _request, ...container } = settled;
    return container;
  }
  const running = deploymentNamed(world, request.newName);
  const { name } = canary.metadata;
  if (running && request.container.image !== undefined && !runs(running, name, request.container))
    return request.container;
  const earlier = recordedTemplates(history)
    .filter(({ deployment }: RecordedTemplate) => deployment === request.newName)
    .map(({ template }) => containerRequestOf(template, name))
    .find((container) => running && !runs(running, name, container));
  return earlier ?? containerRequestOf(running?.spec.template, name);
}

function imageOf(world: CanaryWorld, name: string): { image?: string } {
  const { image } = containerRequestOf(deploymentNamed(world, name)?.spec.template, world.canary.metadata.name);
  return image === undefined ? {} : { image };
}
