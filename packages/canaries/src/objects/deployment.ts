import { type Canary, Canary as CanaryKind, type ContainerRequest } from "@chaski/api";
import {
  apiVersionOf,
  defined,
  Deployment,
  type KubeObject,
  type OwnerReference,
  type PodTemplateSpec,
  type Ref,
} from "@chaski/kube";
import { type ApplyEntry, apply } from "@chaski/runtime/decision";
import { containerFields, releasedContainer, selectorFor, templateFor } from "./template.ts";

export function deploymentRef({ metadata: { namespace } }: Canary, name: string): Ref<Deployment> {
  return defined({ kind: Deployment, name, namespace });
}

export function ownerReference({ metadata: { name, uid } }: Canary): OwnerReference {
  const { kind } = CanaryKind;
  return {
    apiVersion: apiVersionOf(CanaryKind),
    kind,
    name,
    uid: uid ?? "",
    controller: true,
    blockOwnerDeletion: true,
  };
}

export interface DeploymentRequest {
  readonly name: string;
  readonly container: ContainerRequest;
  /** What it is created from; an existing one keeps what it has beyond our fields. */
  readonly base: PodTemplateSpec;
  /** At creation; afterwards replicas are scaled. */
  readonly replicas: number;
  /** One of a pair must never lose pods to its own rolling update. */
  readonly isOfPair: boolean;
}

/** Creates the Deployment, or brings the released container to what is asked for. */
export function applyDeployment(canary: Canary, request: DeploymentRequest): ApplyEntry {
  const { name, container, replicas, isOfPair } = request;
  const template = templateFor(name, request.base);
  const containerName = releasedContainer(template, canary.metadata.name)?.name ?? name;
  const object = {
    ...owned(canary, name),
    spec: {
      ...(isOfPair ? { strategy: LOSING_NONE } : {}),
      template: { spec: { containers: [containerFields(containerName, container)] } },
    },
  };
  const initial = { spec: { replicas, selector: selectorFor(name, template), template } };
  return apply(deploymentRef(canary, name), object, { initial });
}

const LOSING_NONE = { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: 0 } } as const;

/** Makes an existing Deployment ours, and touches nothing else of it. */
export function adoptDeployment(canary: Canary, name: string): ApplyEntry {
  return apply(deploymentRef(canary, name), owned(canary, name));
}

/** Gives a Deployment back: applied without the owner reference, it loses ours and nothing else. */
export function releaseDeployment(canary: Canary, name: string): ApplyEntry {
  const { metadata, ...rest } = owned(canary, name);
  const { ownerReferences: _ours, ...unowned } = metadata;
  return apply(deploymentRef(canary, name), { ...rest, metadata: unowned });
}

function owned(canary: Canary, name: string): KubeObject {
  const { namespace } = canary.metadata;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: defined({ name, namespace, ownerReferences: [ownerReference(canary)] }),
  };
}
