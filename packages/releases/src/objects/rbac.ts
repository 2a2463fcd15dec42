// The app may read external metrics: its KEDA triggers ask for them as the app's account.
import type { Role, RoleBinding } from "@chaski/kube";
import type { App } from "./app.ts";
import { ownerLabels } from "./labels.ts";

const RBAC_GROUP = "rbac.authorization.k8s.io";

export const externalMetricsRules = [
  { apiGroups: ["external.metrics.k8s.io"], resources: ["*"], verbs: ["get", "list", "watch"] },
];

export function buildRole(app: App): Role {
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: "Role",
    metadata: { name: roleName(app), namespace: app.namespace, labels: ownerLabels(app) },
    rules: externalMetricsRules,
  };
}

export function buildRoleBinding(app: App): RoleBinding {
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: "RoleBinding",
    metadata: { name: `${roleName(app)}-binding`, namespace: app.namespace, labels: ownerLabels(app) },
    roleRef: { apiGroup: RBAC_GROUP, kind: "Role", name: roleName(app) },
    subjects: [{ kind: "ServiceAccount", name: app.app, namespace: app.namespace }],
  };
}

function roleName({ app }: App): string {
  return `${app}-external-metrics`;
}
