import { CANARY_GROUP, type ContainerRequest } from "@chaski/api";
import {
  type Container,
  defined,
  type Deployment,
  type LabelSelector,
  normalizeQuantity,
  type PodTemplateSpec,
} from "@chaski/kube";

/** Tells the pods of one Deployment of a pair from those of the other; part of the selector, so never changed. */
const DEPLOYMENT_LABEL = `${CANARY_GROUP}/deployment`;

/** The container that a release is about: the one named as the Canary, else the first. */
export function releasedContainer(template: PodTemplateSpec | undefined, canaryName: string): Container | undefined {
  const containers = template?.spec?.containers ?? [];
  return containers.find(({ name }) => name === canaryName) ?? containers[0];
}

/** The fields of the released container that are ours. */
export function containerFields(name: string, { image, cpu, memory }: ContainerRequest): Container {
  const quantities = defined({ cpu, memory }) as Readonly<Record<string, string>>;
  const hasQuantities = Object.keys(quantities).length > 0;
  return defined({ name, image, resources: hasQuantities ? { limits: quantities, requests: quantities } : undefined });
}

/** What the released container of a template asks for, as a request. */
export function containerRequestOf(template: PodTemplateSpec | undefined, canaryName: string): ContainerRequest {
  const { image, resources } = releasedContainer(template, canaryName) ?? {};
  const { cpu, memory } = resources?.requests ?? {};
  return defined({ image, cpu, memory });
}

/** Whether the Deployment's template already is what is asked for; fields that are not asked for do not count. */
export function runs({ spec }: Deployment, canaryName: string, request: ContainerRequest): boolean {
  const container = releasedContainer(spec?.template, canaryName);
  if (!container) return false;
  const { requests, limits } = container.resources ?? {};
  const isSet = (name: "cpu" | "memory"): boolean =>
    isSameQuantity(request[name], requests?.[name]) && isSameQuantity(request[name], limits?.[name]);
  return (request.image ?? container.image) === container.image && isSet("cpu") && isSet("memory");
}

function isSameQuantity(asked: string | undefined, live: string | number | undefined): boolean {
  if (asked === undefined) return true;
  const [a, b] = [normalizeQuantity(asked), normalizeQuantity(live ?? "")];
  return a.ok && b.ok && a.value === b.value;
}

/** Where there is nothing to take a template from: one container, named as the Deployment. */
export function plainTemplate(name: string, image: string): PodTemplateSpec {
  return { metadata: { labels: { app: name } }, spec: { containers: [{ name, image }] } };
}

/** The template of a Deployment that is to be told apart by its name. */
export function templateFor(name: string, base: PodTemplateSpec): PodTemplateSpec {
  const labels = { ...base.metadata?.labels, [DEPLOYMENT_LABEL]: name };
  return { ...base, metadata: { ...base.metadata, labels } };
}

/** What tells the app, and the label that tells this Deployment's pods from its partner's. */
export function selectorFor(name: string, { metadata }: PodTemplateSpec): LabelSelector {
  return { matchLabels: { ...metadata?.labels, [DEPLOYMENT_LABEL]: name } };
}
