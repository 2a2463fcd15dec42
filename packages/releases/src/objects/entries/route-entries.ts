import { refTo, resourceName, Service } from "@chaski/kube";
import { apply, type Entry } from "@chaski/runtime/decision";
import type { AppPlan, ClusterPlan } from "../../plan/plan.ts";
import { buildDestinationRule } from "../destination-rule.ts";
import { DestinationRule, VirtualService } from "../kinds.ts";
import { buildVirtualService } from "../virtual-service.ts";
import { namespaceRef } from "./app-entries.ts";

const URGENT = -1;

/** The route after the subsets that it names; both refused if somebody changed them since. None without Istio (D-71). */
export function routeEntries(app: AppPlan, cluster: ClusterPlan): readonly Entry[] {
  const { route, served } = cluster;
  const hasIstio = [DestinationRule, VirtualService].every((kind) => served.includes(resourceName(kind)));
  if (!route || !hasIstio) return [];
  const rule = buildDestinationRule(app, route.subsets);
  const service = buildVirtualService(app, cluster, route);
  const options = { isFenced: true, ...(route.isUrgent ? { priority: URGENT } : {}) };
  // What takes traffic from a failing revision waits for nothing but its subsets.
  const place = route.isUrgent ? [] : [namespaceRef(app), { kind: Service, namespace: app.namespace, name: app.app }];
  const ruleRef = refTo(DestinationRule, rule);
  return [
    apply(ruleRef, rule, { ...options, after: place }),
    ...(service ? [apply(refTo(VirtualService, service), service, { ...options, after: [ruleRef, ...place] })] : []),
  ];
}
