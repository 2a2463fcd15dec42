import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from "@chaski/kube";
import type { App } from "./app.ts";
import { filled } from "./filled.ts";
import { appLabels, appSelector } from "./labels.ts";

/** One for the whole app, of its newest revision with pods (D-48). */
export function buildPodDisruptionBudget(app: App, given: PodDisruptionBudgetSpec): PodDisruptionBudget {
  const isBounded = given.maxUnavailable !== undefined || given.minAvailable !== undefined;
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: app.app, namespace: app.namespace, labels: appLabels(app) },
    spec: {
      ...filled(given),
      ...(isBounded ? {} : { maxUnavailable: "10%" }),
      selector: { matchLabels: appSelector(app) },
    },
  };
}
