// NormalDeploy: an ordinary rolling update, without batches. After a CanaryDeploy it promotes what was in progress.
import type { CanaryStatus, NormalRequest } from "@chaski/api";
import type { PodTemplateSpec } from "@chaski/kube";
import { type Decision, type Entry, remove, scale } from "@chaski/runtime/decision";
import { adoptDeployment, applyDeployment, deploymentRef } from "../objects/deployment.ts";
import { recordTemplate } from "../objects/history.ts";
import { runs } from "../objects/template.ts";
import { note, wasComplete } from "./batch-events.ts";
import { isEmpty } from "./draining.ts";
import { availabilityGate, drainGate, obstacleGate, specGate } from "./gates.ts";
import { decided, halted } from "./outcome.ts";
import { pairScale } from "./pair-scale.ts";
import { hasMissedDeadline, type Pair, sideOf } from "./side.ts";
import { type CanaryWorld, deploymentNamed, isControlledBy } from "./world.ts";

export function decideNormal(world: CanaryWorld, request: NormalRequest): Decision<CanaryStatus> {
  const { canary } = world;
  const pair = { older: sideOf(olderInRelease(world, request)), newer: sideOf(deploymentNamed(world, request.newName)) };
  const base = pair.newer.deployment?.spec?.template ?? templateToCreate(request);
  if (!base) {
    const message = "spec.image: is required to create the Deployment: name the image, or give spec.template";
    return halted(world, { reason: "InvalidSpec", message }, [specGate(message)]);
  }
  const { older, newer } = pair;
  const total = request.replicas ?? (older.deployment ? older.replicas + newer.replicas : newer.deployment ? newer.replicas : 1);
  const isCurrent = newer.deployment !== undefined && runs(newer.deployment, canary.metadata.name, request.container);
  const isAvailable = isCurrent && newer.isObserved && newer.replicas === total && Math.min(newer.available, newer.updated) >= total;
  const isComplete = isAvailable && older.deployment === undefined;
  return decided(world, {
    entries: entriesOf(world, request, pair, { base, total }),
    gates: [
      specGate(),
      obstacleGate(),
      availabilityGate(request.newName, newer, total),
      ...(older.deployment ? [drainGate(request.oldName ?? "", older, 0)] : []),
    ],
    events: isComplete && !wasComplete(world) ? [note("ReleaseCompleted", `Deployment ${request.newName} serves with ${total} pods`)] : [],
    status: {
      type: request.type,
      ...(request.container.image === undefined ? {} : { image: request.container.image }),
      availableReplicas: older.available + newer.available,
      paused: false,
    },
    phase: isComplete ? "Complete" : "Progressing",
    ...(hasMissedDeadline(newer) && !isAvailable
      ? { stall: { reason: "ProgressDeadlineExceeded", message: `the pods of Deployment ${request.newName} have not become ready within its progress deadline` } }
      : {}),
  });
}

/** The older Deployment counts only if a release of this Canary has taken it over. */
function olderInRelease(world: CanaryWorld, { oldName }: NormalRequest) {
  const older = oldName === undefined ? undefined : deploymentNamed(world, oldName);
  return older && isControlledBy(older, world.canary) ? older : undefined;
}

function templateToCreate({ template, container, newName }: NormalRequest): PodTemplateSpec | undefined {
  if (template) return template as PodTemplateSpec;
  if (container.image === undefined) return undefined;
  return { metadata: { name: "", labels: { app: newName } }, spec: { containers: [{ name: newName, image: container.image }] } };
}

function entriesOf(world: CanaryWorld, request: NormalRequest, pair: Pair, { base, total }: { base: PodTemplateSpec; total: number }): Entry[] {
  const { canary, history } = world;
  const { older, newer } = pair;
  const to = pairScale(total, total, pair);
  const build = { name: request.newName, container: request.container, base, replicas: total, isOfPair: older.deployment !== undefined };
  const isScaled = newer.deployment !== undefined && (request.replicas !== undefined || older.deployment !== undefined);
  return [
    ...recordTemplate(canary, history, newer.deployment),
    applyDeployment(canary, build),
    ...(isScaled ? [scale(deploymentRef(canary, request.newName), to.newer)] : []),
    ...(request.oldName !== undefined && older.deployment ? olderEntries(world, request.oldName, pair, { total, replicas: to.older }) : []),
  ];
}

function olderEntries({ canary }: CanaryWorld, name: string, { older, newer }: Pair, to: { total: number; replicas: number }): Entry[] {
  const ref = deploymentRef(canary, name);
  if (isEmpty(older) && newer.available >= to.total) return [remove(ref, "the newer Deployment serves alone")];
  return [adoptDeployment(canary, name), scale(ref, to.replicas)];
}
