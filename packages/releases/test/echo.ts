// The app `echo`, released to `production`: what the builders' golden files are made of.
import { type ClusterSpec, defaultTarget, type Revision, type RevisionTarget } from "@chaski/api";
import type { AppPlan, RevisionPlan } from "../src/plan/plan.ts";
import { type ConfigSource, defaultFlags } from "../src/engine/world.ts";

export const TAG = "main-20260801-120000-abcdef";

export function echoApp(changes: Partial<AppPlan> = {}): AppPlan {
  return {
    app: "echo",
    target: "production",
    fleet: "production",
    namespace: "echo-production",
    releaseManager: "echo-production",
    mesh: { mode: "sidecar" },
    revisions: [],
    configs: [],
    routing: { ports: [], defaultIngressPorts: {}, faults: [] },
    alertRules: [],
    serviceMonitors: [],
    objectives: [],
    objectiveLabels: {},
    flags: defaultFlags,
    ...changes,
  };
}

/** Without defaults where the name, fleet and scale are not given. */
export function echoTarget(changes: Partial<RevisionTarget> = {}): RevisionTarget {
  return defaultTarget({ name: "production", fleet: "production", scale: {}, ...changes });
}

export function echoRevision(changes: Partial<RevisionPlan> = {}): RevisionPlan {
  const { tag = TAG, target = echoTarget() } = changes;
  return {
    tag,
    revision: revisionObject(tag, target),
    target,
    isReplicaDriven: false,
    configs: [],
    hasCanaryRule: false,
    autoscaler: { type: "none" },
    ...changes,
  };
}

function revisionObject(tag: string, target: RevisionTarget): Revision {
  return {
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "Revision",
    metadata: { name: `echo-${tag}`, namespace: "picchu" },
    spec: { app: { name: "echo", ref: "main", tag, image: `example/echo:${tag}` }, targets: [target], failed: false },
  };
}

export function echoCluster(changes: Partial<ClusterSpec> = {}): ClusterSpec {
  return {
    enabled: true,
    ingresses: {
      public: { dnsName: "public.example", gateway: "istio-system/public", defaultDomains: [] },
      private: {
        dnsName: "private.example",
        gateway: "istio-system/private",
        defaultDomains: ["medm.io", "production.medm.io"],
      },
    },
    ...changes,
  };
}

export function configSource(kind: ConfigSource["kind"], name: string, more: Partial<ConfigSource> = {}): ConfigSource {
  return { kind, name, namespace: "picchu", labels: {}, hash: `hash-of-${name}`, ...more };
}
