import { releaseKeys } from "@chaski/api";
import type { Secret, ServiceAccount } from "@chaski/kube";
import type { AppPlan } from "../plan/plan.ts";
import type { App } from "./app.ts";
import { filled } from "./filled.ts";
import { ownerLabels } from "./labels.ts";

const { roleArn: ROLE_ARN, serviceAccountName } = releaseKeys.annotations;

export const TOKEN_SECRET = "service-account-token";

export function buildServiceAccount(app: App & Pick<AppPlan, "roleArn">): ServiceAccount {
  const annotations = app.roleArn ? { [ROLE_ARN]: app.roleArn } : {};
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: filled({ name: app.app, namespace: app.namespace, labels: ownerLabels(app), annotations }),
  };
}

/** Kubernetes fills in the token: its data is never ours to write (D-52). Comes after the account. */
export function buildTokenSecret(app: App): Secret {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: TOKEN_SECRET,
      namespace: app.namespace,
      labels: ownerLabels(app),
      annotations: { [serviceAccountName]: app.app },
    },
    type: "kubernetes.io/service-account-token",
  };
}
