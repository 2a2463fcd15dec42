import type { ContainerRequest } from "@chaski/api";
import { CANARY_GROUP } from "@chaski/api";
import type { Container, Deployment, PodTemplateSpec } from "@chaski/kube";

/** Tells the pods of one Deployment of a pair from those of the other; part of the selector, so never changed. */
export const DEPLOYMENT_LABEL = `${CANARY_GROUP}/deployment`;

/** The container that a release is about: the one named as the Canary, else the first. */
export function releasedContainer(template: PodTemplateSpec, canaryName: string): Container | undefined {
  const containers = template.spec?.containers ?? [];
  return containers.find(({ name }) => name === canaryName) ?? containers[0];
}

/** The fields of the released container that are ours. */
export function containerFields(name: string, { image, cpu, memory }: ContainerRequest): Container {
  const quantities = { ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) };
  const hasQuantities = Object.keys(quantities).length > 0;
  return {
    name,
    ...(image === undefined ? {} : { image }),
    ...(hasQuantities ? { resources: { limits: quantities, requests: quantities } } : {}),
  };
}

/** Whether the Deployment already runs what is asked for; fields that are not asked for do not count. */
export function runs(deployment: Deployment, canaryName: string, request: ContainerRequest): boolean {
  const template = deployment.spec?.template;
  const container = template && releasedContainer(template, canaryName);
  if (!container) return false;
  const { requests, limits } = container.resources ?? {};
  const isQuantitySet = (name: "cpu" | "memory"): boolean =>
    request[name] === undefined || (requests?.[name] === request[name] && limits?.[name] === request[name]);
  return (request.image ?? container.image) === container.image && isQuantitySet("cpu") && isQuantitySet("memory");
}

/** The template of a Deployment that is to be told apart by its name. */
export function templateFor(name: string, base: PodTemplateSpec): PodTemplateSpec {
  return {
    ...base,
    metadata: { ...base.metadata, labels: { ...base.metadata?.labels, [DEPLOYMENT_LABEL]: name } },
  } as PodTemplateSpec;
}
