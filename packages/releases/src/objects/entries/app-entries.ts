// What a release applies alike on every cluster: built once, whatever the size of the fleet.
import {
  ConfigMap,
  HorizontalPodAutoscaler,
  type Kind,
  type KubeObject,
  Namespace,
  PodDisruptionBudget,
  type Ref,
  type ReplicaSet,
  refTo,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
} from "@chaski/kube";
import { type ApplyEntry, apply } from "@chaski/runtime/decision";
import type { AppPlan, RevisionPlan } from "../../plan/plan.ts";
import { applyConfig, configKind } from "../config.ts";
import { PrometheusRule, PrometheusServiceLevel, ServiceMonitor, Sidecar, WaypointGateway } from "../kinds.ts";
import { buildNamespace, buildServiceLevelsNamespace } from "../namespace.ts";
import { buildPodDisruptionBudget } from "../pod-disruption-budget.ts";
import { buildAlertRules, buildCanaryRule, buildRecordingRules } from "../prometheus-rules.ts";
import { buildRole, buildRoleBinding } from "../rbac.ts";
import { buildReplicaSet } from "../replica-set.ts";
import { buildService } from "../service.ts";
import { buildServiceAccount, buildTokenSecret } from "../service-account.ts";
import { buildServiceLevel } from "../service-level.ts";
import { buildServiceMonitor } from "../service-monitor.ts";
import { buildSidecar } from "../sidecar.ts";
import {
  buildWaypointAutoscaler,
  buildWaypointBudget,
  buildWaypointGateway,
  buildWaypointOptions,
} from "../waypoint.ts";
import { autoscalerRefs } from "./autoscaler-objects.ts";
import { refKey } from "./owned.ts";

export interface AppEntries {
  readonly app: AppPlan;
  readonly shared: readonly ApplyEntry[];
  readonly sharedKeys: readonly string[];
  /** By tag. */
  readonly revisions: ReadonlyMap<string, RevisionObjects>;
}

export interface RevisionObjects {
  readonly plan: RevisionPlan;
  readonly replicaSet: ReplicaSet;
  readonly canaryRule: KubeObject | undefined;
  /** What the ReplicaSet waits for. */
  readonly after: readonly Ref[];
  /** Everything that could scale it. */
  readonly scalers: readonly { readonly ref: Ref; readonly key: string }[];
}

export function buildAppEntries(app: AppPlan): AppEntries {
  const revisions = new Map(app.revisions.map((plan) => [plan.tag, revisionObjects(app, plan)]));
  const shared = [
    ...accountEntries(app),
    ...waypointEntries(app),
    ...budgetEntries(app),
    ...app.configs.map((config) => applyConfig(app, config, [namespaceRef(app)])),
    ...meshEntries(app),
    ...monitoringEntries(app),
  ];
  return { app, shared, sharedKeys: shared.map(({ ref }) => refKey(ref)), revisions };
}

export function namespaceRef({ namespace }: Pick<AppPlan, "namespace">): Ref {
  return { kind: Namespace, name: namespace };
}

function revisionObjects(app: AppPlan, plan: RevisionPlan): RevisionObjects {
  const account = { kind: ServiceAccount, namespace: app.namespace, name: app.app };
  const configs = plan.configs.map((source) => {
    return { kind: configKind(source), namespace: app.namespace, name: source.name };
  });
  return {
    plan,
    replicaSet: buildReplicaSet(app, plan),
    canaryRule: plan.hasCanaryRule ? buildCanaryRule(app, plan.tag, plan.target) : undefined,
    after: [namespaceRef(app), account, ...configs],
    scalers: autoscalerRefs(app, plan.tag).map((ref) => ({ ref, key: refKey(ref) })),
  };
}

/** The account before its token (D-52), the role before its binding. */
function accountEntries(app: AppPlan): readonly ApplyEntry[] {
  const inNamespace = { after: [namespaceRef(app)] };
  const [namespace, account, role] = [buildNamespace(app), buildServiceAccount(app), buildRole(app)];
  const [token, binding] = [buildTokenSecret(app), buildRoleBinding(app)];
  return [
    apply(refTo(Namespace, namespace), namespace),
    apply(refTo(ServiceAccount, account), account, inNamespace),
    apply(refTo(Secret, token), token, { after: [refTo(ServiceAccount, account)] }),
    apply(refTo(Role, role), role, inNamespace),
    apply(refTo(RoleBinding, binding), binding, { after: [refTo(Role, role)] }),
  ];
}

function waypointEntries(app: AppPlan): readonly ApplyEntry[] {
  const { waypoint } = app.mesh;
  if (!waypoint) return [];
  const options = buildWaypointOptions(app, waypoint);
  const gateway = buildWaypointGateway(app);
  return [
    ...inNamespaceOf(app, ConfigMap, options),
    apply(refTo(WaypointGateway, gateway), gateway, { after: [refTo(ConfigMap, options)] }),
    ...inNamespaceOf(app, PodDisruptionBudget, buildWaypointBudget(app, waypoint)),
    ...inNamespaceOf(app, HorizontalPodAutoscaler, buildWaypointAutoscaler(app, waypoint)),
  ];
}

function budgetEntries(app: AppPlan): readonly ApplyEntry[] {
  const { podDisruptionBudget: given } = app;
  return inNamespaceOf(app, PodDisruptionBudget, given && buildPodDisruptionBudget(app, given));
}

/** Without ports nothing is routed. */
function meshEntries(app: AppPlan): readonly ApplyEntry[] {
  const { ports, egressHosts } = app.routing;
  if (ports.length === 0) return [];
  return [
    ...inNamespaceOf(app, Service, buildService(app, ports)),
    ...inNamespaceOf(app, Sidecar, egressHosts && buildSidecar(app, egressHosts)),
  ];
}

/** Alert rules do not depend on ports (D-55). */
function monitoringEntries(app: AppPlan): readonly ApplyEntry[] {
  const level = buildServiceLevel(app);
  const place = level && buildServiceLevelsNamespace(app.flags.serviceLevelsNamespace);
  return [
    ...inNamespaceOf(app, PrometheusRule, buildAlertRules(app, app.alertRules)),
    ...inNamespaceOf(app, PrometheusRule, buildRecordingRules(app)),
    ...app.serviceMonitors.flatMap((monitor) =>
      inNamespaceOf(app, ServiceMonitor, buildServiceMonitor(app, monitor, app.objectives)),
    ),
    ...(place ? [apply(refTo(Namespace, place), place)] : []),
    ...(level && place
      ? [apply(refTo(PrometheusServiceLevel, level), level, { after: [refTo(Namespace, place)] })]
      : []),
  ];
}

function inNamespaceOf(app: AppPlan, kind: Kind, object: KubeObject | undefined): readonly ApplyEntry[] {
  return object ? [apply(refTo(kind, object), object, { after: [namespaceRef(app)] })] : [];
}
