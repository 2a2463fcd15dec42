// NormalDeploy: an ordinary rolling update, without batches. After a CanaryDeploy it promotes what was in progress.
import type { CanaryStatus, NormalRequest } from "@chaski/api";
import { defined, type Deployment, type PodTemplateSpec } from "@chaski/kube";
import { type Decision, type Entry, type Gate, remove, scale } from "@chaski/runtime/decision";
import { applyDeployment, deploymentRef } from "../objects/deployment.ts";
import { recordTemplate } from "../objects/history.ts";
import { plainTemplate, runs } from "../objects/template.ts";
import { adoption } from "./adoption.ts";
import { note, wasComplete } from "./batch-events.ts";
import { availabilityGate, drainGate, obstacleGate, specGate } from "./gates.ts";
import { decided, halted, missedDeadline } from "./outcome.ts";
import { hasReached, pairScale } from "./pair-scale.ts";
import { isEmpty, type Pair, sideOf } from "./side.ts";
import { type CanaryWorld, deploymentNamed, isControlledBy } from "./world.ts";

interface Plan extends Pair {
  readonly base: PodTemplateSpec;
  readonly total: number;
}

export function decideNormal(world: CanaryWorld, request: NormalRequest): Decision<CanaryStatus> {
  const plan = planOf(world, request);
  if (!plan) {
    const message = "spec.image: is required to create the Deployment: name the image, or give spec.template";
    return halted(world, { reason: "InvalidSpec", message }, [specGate(message)]);
  }
  const { older, newer, total } = plan;
  const isComplete = isCurrent(world, request, plan) && hasReached(total, total, plan);
  const completed = note("ReleaseCompleted", `Deployment ${request.newName} serves with ${total} pods`);
  return decided(world, {
    entries: entriesOf(world, request, plan),
    gates: gatesOf(request, plan),
    events: isComplete && !wasComplete(world) ? [completed] : [],
    status: defined({
      type: request.type,
      image: request.container.image,
      availableReplicas: older.available + newer.available,
      paused: false,
    }),
    phase: isComplete ? "Complete" : "Progressing",
    stall: isComplete ? undefined : missedDeadline(newer),
  });
}

/** Undefined where the Deployment has to be created and nothing says from what. */
function planOf(world: CanaryWorld, request: NormalRequest): Plan | undefined {
  const newer = sideOf(deploymentNamed(world, request.newName));
  const older = sideOf(olderInRelease(world, request));
  const base = newer.deployment?.spec.template ?? templateToCreate(request);
  const present = newer.deployment ? older.replicas + newer.replicas : 1;
  return base && { older, newer, base, total: request.replicas ?? present };
}

/** The older Deployment counts only if a release of this Canary has taken it over. */
function olderInRelease(world: CanaryWorld, { oldName }: NormalRequest): Deployment | undefined {
  const older = oldName === undefined ? undefined : deploymentNamed(world, oldName);
  return older && isControlledBy(older, world.canary) ? older : undefined;
}

function templateToCreate({ template, container: { image }, newName }: NormalRequest): PodTemplateSpec | undefined {
  return template ?? (image === undefined ? undefined : plainTemplate(newName, image));
}

function isCurrent({ canary }: CanaryWorld, { container }: NormalRequest, { newer }: Pair): boolean {
  return newer.deployment !== undefined && runs(newer.deployment, canary.metadata.name, container);
}

function gatesOf({ newName, oldName }: NormalRequest, { older, newer, total }: Plan): readonly Gate[] {
  const draining = oldName !== undefined && older.deployment ? [drainGate(oldName, older, 0)] : [];
  return [specGate(), obstacleGate(), availabilityGate(newName, newer, total), ...draining];
}

function entriesOf(world: CanaryWorld, request: NormalRequest, plan: Plan): Entry[] {
  const { canary, history } = world;
  const { newName, oldName, container } = request;
  const { older, newer, base, total } = plan;
  const isOfPair = older.deployment !== undefined;
  const isScaled = newer.deployment !== undefined && (request.replicas !== undefined || isOfPair);
  const { newer: replicas } = pairScale(total, total, plan);
  return [
    ...recordTemplate(canary, history, newer.deployment),
    applyDeployment(canary, { name: newName, container, base, replicas: total, isOfPair }),
    ...(isScaled ? [scale(deploymentRef(canary, newName), replicas)] : []),
    ...(oldName !== undefined && isOfPair ? olderEntries(world, oldName, plan) : []),
  ];
}

function olderEntries(world: CanaryWorld, name: string, plan: Plan): Entry[] {
  const ref = deploymentRef(world.canary, name);
  if (isEmpty(plan.older) && plan.newer.available >= plan.total)
    return [remove(ref, "the newer Deployment serves alone")];
  return [...adoption(world, name), scale(ref, pairScale(plan.total, plan.total, plan).older)];
}
