import { type PortInfo, releaseKeys, type RevisionTarget } from "@chaski/api";
import type {
  Container,
  EnvFromSource,
  EnvVar,
  PodSpec,
  PodTemplateSpec,
  Probe,
  TopologySpreadConstraint,
} from "@chaski/kube";
import type { RevisionPlan } from "../plan/plan.ts";
import type { ConfigSource } from "../plan/config-source.ts";
import type { App } from "./app.ts";
import { containerPortName, containerPorts } from "./container-ports.ts";
import { filled, listOf } from "./filled.ts";
import { incarnationLabels } from "./labels.ts";

const { annotations: keys, labels } = releaseKeys;

export function buildPodTemplate(app: App, plan: RevisionPlan): PodTemplateSpec {
  const { tag, target } = plan;
  return {
    metadata: {
      name: tag,
      namespace: app.namespace,
      labels: { ...incarnationLabels(app, tag), [labels.podTag]: tag },
      annotations: podAnnotations(target),
    },
    spec: podSpec(app, plan),
  };
}

function podAnnotations({ podAnnotations: given, aws, karpenterDoNotDisrupt }: RevisionTarget): Record<string, string> {
  return {
    ...given,
    ...filled({ [keys.iamRole]: aws?.iam?.role_arn }),
    [keys.tolerateUnready]: "true",
    ...filled({ [keys.doNotDisrupt]: karpenterDoNotDisrupt }),
  };
}

function podSpec(app: App, plan: RevisionPlan): PodSpec {
  const { target } = plan;
  const { affinity, priorityClassName, schedulerName, serviceAccountName, tolerations, volumes } = target;
  return filled({
    affinity,
    containers: containersOf(app, plan),
    dnsConfig: { options: [{ name: "ndots", value: "1" }] },
    priorityClassName,
    schedulerName,
    serviceAccountName,
    terminationGracePeriodSeconds: gracePeriodSeconds(target),
    tolerations,
    topologySpreadConstraints: spreadConstraints(target),
    volumes,
  });
}

/** Sidecars get the app's environment and mounts instead of their own: kept as it is (D-49). */
function containersOf({ app }: App, { revision, target, configs }: RevisionPlan): readonly Container[] {
  const { resources, lifecycle, ports = [], sidecars = [], volumeMounts } = target;
  const main = {
    name: app,
    image: revision.spec.app.image,
    ports: containerPorts(ports),
    resources,
    livenessProbe: target.livenessProbe ?? statusProbe(ports, 7),
    readinessProbe: target.readinessProbe ?? statusProbe(ports, 3),
    lifecycle,
  };
  const shared = { envFrom: configs.map(environmentFrom), env: lastOfEachName(target.env ?? []), volumeMounts };
  return [main, ...sidecars.map(withProtocols)].map((container) => filled({ ...container, ...shared }) as Container);
}

function withProtocols(sidecar: Container): Container {
  const ports = listOf(sidecar.ports).map((port) => ({ ...port, protocol: port?.protocol || "TCP" }));
  return { ...sidecar, ports };
}

/** A name that is given twice has its last value, and server-side apply wants it once. */
function lastOfEachName(env: readonly EnvVar[]): readonly EnvVar[] {
  return env.filter(({ name }, index) => env.findLastIndex((other) => other.name === name) === index);
}

function environmentFrom({ kind, name, spec }: ConfigSource): EnvFromSource {
  if (kind === "ConfigMap") return { configMapRef: { name } };
  const made = kind === "ExternalSecret" ? (spec?.["target"] as { readonly name?: string } | undefined) : undefined;
  return { secretRef: { name: made?.name || name } };
}

const STATUS_PORT = "status";

function statusProbe(ports: readonly PortInfo[], failureThreshold: number): Probe | undefined {
  if (!ports.some(({ name }) => name === STATUS_PORT)) return undefined;
  return {
    httpGet: { path: "/running", port: containerPortName(ports, STATUS_PORT) },
    initialDelaySeconds: 10,
    periodSeconds: 10,
    timeoutSeconds: 1,
    successThreshold: 1,
    failureThreshold,
  };
}

function gracePeriodSeconds({ podAnnotations: given }: RevisionTarget): number | undefined {
  const text = given?.[keys.terminationGracePeriod] ?? "";
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** A spread that can't be had must not keep a release from its pods. */
function spreadConstraints({
  topologySpreadConstraint: given,
}: RevisionTarget): readonly TopologySpreadConstraint[] | undefined {
  if (!given) return undefined;
  const { whenUnsatisfiable } = given;
  return [
    { ...given, whenUnsatisfiable: whenUnsatisfiable === "DoNotSchedule" ? "ScheduleAnyway" : whenUnsatisfiable },
  ];
}
