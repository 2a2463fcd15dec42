import type { CanaryRequest } from "@chaski/api";
import { type Deployment, type LabelSelector, matchesLabels, readLabelSelector } from "@chaski/kube";
import { selectorFor, templateFor } from "../objects/template.ts";
import { type CanaryWorld, deploymentNamed } from "./world.ts";

/** Which pods a Deployment makes, and which it takes for its own. */
export interface PodClaim {
  readonly selector: LabelSelector;
  readonly labels: Readonly<Record<string, string>>;
}

export function podsOf({ spec }: Deployment): PodClaim {
  return { selector: spec.selector, labels: spec.template.metadata?.labels ?? {} };
}

/** Of the newer Deployment as it is, or as it would be created; undefined where there is nothing to create it from. */
export function podsOfNewer(world: CanaryWorld, { newName, oldName }: CanaryRequest): PodClaim | undefined {
  const older = oldName === undefined ? undefined : deploymentNamed(world, oldName);
  return claimOfNewer(newName, deploymentNamed(world, newName), older);
}

export function claimOfNewer(name: string, newer?: Deployment, older?: Deployment): PodClaim | undefined {
  if (newer) return podsOf(newer);
  if (!older) return undefined;
  const template = templateFor(name, older.spec.template);
  return { selector: selectorFor(name, template), labels: template.metadata?.labels ?? {} };
}

export function doOverlap(one: PodClaim, other: PodClaim): boolean {
  return selects(one, other) || selects(other, one);
}

/** Every Canary of a namespace looks at all its Deployments, whose selectors never change. */
const read = new WeakMap<LabelSelector, ReturnType<typeof readLabelSelector>>();

function requirementsOf(selector: LabelSelector): ReturnType<typeof readLabelSelector> {
  const requirements = read.get(selector) ?? readLabelSelector(selector);
  read.set(selector, requirements);
  return requirements;
}

function selects({ selector }: PodClaim, { labels }: PodClaim): boolean {
  const requirements = requirementsOf(selector);
  return requirements.ok && matchesLabels(requirements.value, labels);
}
