// From one measured metric to the number of replicas that would bring it to its target.
import {
  formatQuantity,
  type MetricSpec,
  type MetricStatus,
  type MetricTarget,
  type MetricValueStatus,
  parseQuantity,
} from "@chaski/kube";

export interface Proposal {
  readonly replicas: number;
  /** As the conditions and events name the metric. */
  readonly description: string;
  readonly status: MetricStatus;
}

export interface Tolerance {
  readonly up: number;
  readonly down: number;
}

export interface Counts {
  /** What the target asks for. */
  readonly wanted: number;
  readonly ready: number;
}

export function propose(metric: MetricSpec, measured: number, counts: Counts, tolerance: Tolerance): Proposal {
  const ratio = measured / targetOf(metric);
  const isClose = ratio >= 1 - tolerance.down && ratio <= 1 + tolerance.up;
  const replicas = isClose ? counts.wanted : Math.ceil(ratio * counts.ready);
  return { replicas, description: describe(metric), status: statusOf(metric, measured) };
}

function sourceTarget(metric: MetricSpec): MetricTarget | undefined {
  const { resource, containerResource, pods, object, external } = metric;
  return (resource ?? containerResource ?? pods ?? object ?? external)?.target;
}

function targetOf(metric: MetricSpec): number {
  const { averageUtilization, averageValue, value } = sourceTarget(metric) ?? {};
  if (averageUtilization !== undefined) return averageUtilization;
  const quantity = parseQuantity(averageValue ?? value ?? "0");
  return quantity.ok ? Number(quantity.value.nanos) / 1e9 : 0;
}

function describe({ type, resource, containerResource, pods, object, external }: MetricSpec): string {
  const unit = (target: MetricTarget): string =>
    target.averageUtilization === undefined ? "" : " utilization (percentage of request)";
  if (resource) return `${resource.name} resource${unit(resource.target)}`;
  if (containerResource) return `${containerResource.name} container resource${unit(containerResource.target)}`;
  if (pods) return `pods metric ${pods.metric.name}`;
  if (object) return `${object.describedObject.kind} metric ${object.metric.name}`;
  return `external metric ${external?.metric.name ?? type}`;
}

function statusOf(metric: MetricSpec, measured: number): MetricStatus {
  const { type, resource, containerResource, pods, object, external } = metric;
  const current = currentOf(sourceTarget(metric), measured);
  if (resource) return { type, resource: { name: resource.name, current } };
  if (containerResource) {
    const { name, container } = containerResource;
    return { type, containerResource: { name, container, current } };
  }
  if (pods) return { type, pods: { metric: pods.metric, current } };
  if (object) return { type, object: { metric: object.metric, describedObject: object.describedObject, current } };
  return { type, ...(external && { external: { metric: external.metric, current } }) };
}

function currentOf(target: MetricTarget | undefined, measured: number): MetricValueStatus {
  if (target?.averageUtilization !== undefined) return { averageUtilization: Math.trunc(measured) };
  const amount = formatQuantity({ nanos: BigInt(Math.ceil(measured * 1_000)) * 1_000_000n, format: "DecimalSI" });
  return target?.averageValue === undefined ? { value: amount } : { averageValue: amount };
}

const FAILURES: Readonly<Record<string, string>> = {
  Resource: "FailedGetResourceMetric",
  ContainerResource: "FailedGetContainerResourceMetric",
  Pods: "FailedGetPodsMetric",
  Object: "FailedGetObjectMetric",
  External: "FailedGetExternalMetric",
};

export function failureReason({ type }: MetricSpec): string {
  return FAILURES[type] ?? "InvalidMetricSourceType";
}

export function missing(metric: MetricSpec): string {
  const name = metric.resource?.name ?? metric.containerResource?.name;
  if (name === undefined) return `unable to get metric ${describe(metric)}: no metrics returned`;
  return `failed to get ${name} utilization: unable to get metrics for resource ${name}: no metrics returned from resource metrics API`;
}
