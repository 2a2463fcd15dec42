import { apiVersionOf } from "@chaski/kube";
import { releaseKeys } from "@chaski/api";
import type { RoutePlan } from "../plan/plan.ts";
import type { App } from "./app.ts";
import { filled, sortedBy } from "./filled.ts";
import { DestinationRule, type SpecObject } from "./kinds.ts";
import { appLabels } from "./labels.ts";

/** The app's name in the mesh. */
export function meshHost({ app, namespace }: App): string {
  return `${app}.${namespace}.svc.cluster.local`;
}

/** A subset per tag, sorted (D-56), with a policy only where there is one: an empty one confuses Istio (D-18). */
export function buildDestinationRule(app: App, subsets: RoutePlan["subsets"]): SpecObject {
  return {
    apiVersion: apiVersionOf(DestinationRule),
    kind: DestinationRule.kind,
    metadata: { name: app.app, namespace: app.namespace, labels: appLabels(app) },
    spec: {
      host: meshHost(app),
      subsets: sortedBy(subsets, ({ tag }) => tag).map(({ tag, trafficPolicy }) =>
        filled({ name: tag, labels: { [releaseKeys.labels.podTag]: tag }, trafficPolicy }),
      ),
    },
  };
}
