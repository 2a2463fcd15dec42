import type { Canary, ContainerRequest } from "@chaski/api";
import { apiVersionOf, type Deployment, Deployment as DeploymentKind, type OwnerReference, type PodTemplateSpec, type Ref } from "@chaski/kube";
import { Canary as CanaryKind } from "@chaski/api";
import { type ApplyEntry, apply } from "@chaski/runtime/decision";
import { containerFields, DEPLOYMENT_LABEL, releasedContainer, templateFor } from "./template.ts";

export function deploymentRef(canary: Canary, name: string): Ref<Deployment> {
  const { namespace } = canary.metadata;
  return { kind: DeploymentKind, name, ...(namespace === undefined ? {} : { namespace }) };
}

export function ownerReference(canary: Canary): OwnerReference {
  return {
    apiVersion: apiVersionOf(CanaryKind),
    kind: CanaryKind.kind,
    name: canary.metadata.name,
    uid: canary.metadata.uid ?? "",
    controller: true,
    blockOwnerDeletion: true,
  };
}

export interface BuildDeployment {
  readonly canary: Canary;
  readonly name: string;
  readonly container: ContainerRequest;
  /** What the Deployment is created from; an existing one keeps what it has beyond our fields. */
  readonly base: PodTemplateSpec;
  readonly replicas: number;
  /** A pair must never lose pods to its own rolling update. */
  readonly keepsAllAvailable: boolean;
}

/** Creates the Deployment, or brings its container to what is asked for; replicas only at creation. */
export function applyDeployment(build: BuildDeployment): ApplyEntry {
  const { canary, name, container, base, replicas } = build;
  const template = templateFor(name, base);
  const containerName = releasedContainer(base, canary.metadata.name)?.name ?? name;
  const ref = deploymentRef(canary, name);
  return apply(
    ref,
    {
      ...identity(canary, name),
      spec: {
        ...(build.keepsAllAvailable ? { strategy: NO_LOSS } : {}),
        template: { spec: { containers: [containerFields(containerName, container)] } },
      },
    } as unknown as Deployment,
    { initial: { spec: { replicas, selector: selectorFor(name, template), template } } },
  );
}

const NO_LOSS = { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: "25%" } } as const;

/** Makes an existing Deployment ours, and touches nothing else of it. */
export function adoptDeployment(canary: Canary, name: string): ApplyEntry {
  return apply(deploymentRef(canary, name), identity(canary, name) as unknown as Deployment);
}

/** Gives a Deployment back: applying without the owner reference removes ours and nothing else. */
export function releaseDeployment(canary: Canary, name: string): ApplyEntry {
  const { ownerReferences: _, ...metadata } = identity(canary, name).metadata;
  return apply(deploymentRef(canary, name), { ...identity(canary, name), metadata } as unknown as Deployment);
}

function identity(canary: Canary, name: string) {
  const { namespace } = canary.metadata;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), ownerReferences: [ownerReference(canary)] },
  } as const;
}

/** The pod labels that the selector of a pair's member needs: its own distinguishing one, and what tells the app. */
function selectorFor(name: string, template: PodTemplateSpec): Deployment["spec"] extends infer S ? unknown : never {
  const { [DEPLOYMENT_LABEL]: _, ...shared } = template.metadata?.labels ?? {};
  return { matchLabels: { ...shared, [DEPLOYMENT_LABEL]: name } };
}
