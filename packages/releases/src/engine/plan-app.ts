// The part of a plan that is the same on every cluster.
import type { PortInfo } from "@chaski/api";
import { defined } from "@chaski/kube";
import { active, alertable, deployedSet, releasable } from "./collections.ts";
import { configsOf, sharedConfigs } from "./configs.ts";
import type { Incarnation } from "./incarnation.ts";
import { meshOf } from "./mesh.ts";
import type { AppPlan, AutoscalerPlan, RevisionPlan, RoutingPlan } from "../plan/plan.ts";
import type { TargetSettings } from "./settings.ts";
import { isReplicaDriven, type Sizing, targetScale } from "./sizing.ts";
import { isApplied } from "./states.ts";
import type { ReleaseFlags, ReleaseWorld } from "./world.ts";

export type AppliedIncarnation = Incarnation & { readonly settings: TargetSettings };

export function isAppliedNow(incarnation: Incarnation): incarnation is AppliedIncarnation {
  return incarnation.settings !== undefined && isApplied(incarnation.state);
}

export function namespaceOf({ releaseManager: { spec } }: ReleaseWorld): string {
  return `${spec.app}-${spec.target}`;
}

export function planApp(world: ReleaseWorld, incarnations: readonly Incarnation[], sizing: Sizing): AppPlan {
  const { app, target, fleet } = world.releaseManager.spec;
  const applied = incarnations.filter(isAppliedNow);
  const revisions = applied.map((incarnation) => planRevision(incarnation, world, sizing));
  const roleArn = applied[0]?.settings.target.aws?.iam?.role_arn;
  const newestWithPods = applied.find(({ pods }) => pods.desired > 0);
  return {
    app,
    target,
    fleet,
    namespace: namespaceOf(world),
    releaseManager: world.releaseManager.metadata.name,
    mesh: meshOf(incarnations),
    ...(roleArn ? { roleArn } : {}),
    ...(newestWithPods ? { podDisruptionBudget: newestWithPods.settings.target.podDisruptionBudget ?? {} } : {}),
    revisions,
    configs: sharedConfigs(revisions),
    routing: planRouting(world, incarnations),
    ...monitoringOf(incarnations),
    flags: world.flags,
  };
}

function planRevision(incarnation: AppliedIncarnation, { configs, flags }: ReleaseWorld, sizing: Sizing): RevisionPlan {
  const { tag, revision, settings, state } = incarnation;
  if (!revision) throw new Error(`${tag} has settings and no Revision`);
  const isDriven = isReplicaDriven(incarnation, sizing.target, flags.rampMode);
  return {
    tag,
    revision,
    target: settings.target,
    isReplicaDriven: isDriven,
    configs: configsOf(incarnation, configs),
    hasCanaryRule: state === "canarying" && settings.objectiveCount > 0,
    autoscaler: isDriven
      ? { type: "none" }
      : autoscalerPlan(settings, targetScale(incarnation, sizing.rampingTag), flags),
  };
}

/** §6.8, with the targets of §6.7: new values, the Revision's own stay as they are (D-04). */
export function autoscalerPlan(
  { scale, target, isAmbient }: TargetSettings,
  k: number,
  flags: ReleaseFlags,
): AutoscalerPlan {
  const requestsRateMilli = scaledBy(k, scale.requestsRateMilli);
  if (scale.autoscaler === "worker") return { type: "wpa" };
  if (scale.autoscaler === "keda") return defined({ type: "keda" as const, requestsRateMilli });
  if (scale.autoscaler === "none") return { type: "none" };
  if (isAmbient && requestsRateMilli !== undefined && flags.clusterPrometheusAddress !== "") {
    return { type: "ambient", requestsRateMilli };
  }
  return defined({
    type: "hpa" as const,
    cpuPercent: scaledBy(k, scale.cpuPercent),
    memoryPercent: scaledBy(k, scale.memoryPercent),
    requestsRateMilli,
    requestsRateMetric: target.scale.requestsRateMetric ?? "",
  });
}

function scaledBy(k: number, value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.max(1, Math.floor(value * k));
}

/** The newest deployed revision speaks for the app, else the newest that deploys (D-37). */
export function planRouting(
  { faults }: Pick<ReleaseWorld, "faults">,
  incarnations: readonly Incarnation[],
): RoutingPlan {
  const targets = active(incarnations).flatMap(({ settings }) => (settings ? [settings.target] : []));
  const ports = new Map<string, PortInfo>();
  for (const port of targets.flatMap((target) => target.ports ?? [])) {
    if (!ports.has(port.name)) ports.set(port.name, port);
  }
  const egressHosts = targets[0]?.istio?.sidecar?.egressHosts ?? [];
  return {
    ports: [...ports.values()],
    defaultIngressPorts: targets[0]?.defaultIngressPorts ?? {},
    ...(egressHosts.length > 0 ? { egressHosts } : {}),
    faults: faults.filter(({ portSelector }) => typeof portSelector?.number === "number"),
  };
}

type Monitoring = Pick<AppPlan, "alertRules" | "serviceMonitors" | "objectives" | "objectiveLabels">;

/** Rules and monitors of the first that is alertable, objectives of the first that has traffic; none without pods. */
function monitoringOf(incarnations: readonly Incarnation[]): Monitoring {
  const isDeployed = deployedSet(incarnations).length > 0;
  return {
    ...alertingOf(isDeployed ? alertable(incarnations)[0] : undefined),
    ...objectivesOf(isDeployed ? releasable(incarnations).find(({ settings }) => settings) : undefined),
  };
}

function alertingOf(incarnation: Incarnation | undefined): Pick<AppPlan, "alertRules" | "serviceMonitors"> {
  const { alertRules = [], serviceMonitors = [] } = incarnation?.settings?.target ?? {};
  return { alertRules, serviceMonitors };
}

function objectivesOf(incarnation: Incarnation | undefined): Pick<AppPlan, "objectives" | "objectiveLabels"> {
  const { serviceLevelObjectives = [], serviceLevelObjectiveLabels = {} } = incarnation?.settings?.target ?? {};
  return {
    objectives: serviceLevelObjectives.filter(({ enabled }) => enabled),
    objectiveLabels: serviceLevelObjectiveLabels,
  };
}
