import type { Strategy } from "../registry/strategy.ts";
import { autoscalerStrategy } from "./autoscaling-strategy.ts";
import {
  budgetStrategy,
  controllerRevisionStrategy,
  endpointSliceStrategy,
  endpointsStrategy,
  eventStrategy,
  leaseStrategy,
  namespaceStrategy,
  nodeStrategy,
  roleBindingStrategy,
  roleStrategy,
  serviceAccountStrategy,
} from "./cluster-strategies.ts";
import { configMapStrategy, secretStrategy } from "./config-strategies.ts";
import { apiServiceStrategy, crdStrategy, webhookStrategy } from "./extension-strategies.ts";
import { podStrategy } from "./pod-strategy.ts";
import { serviceStrategy } from "./service-strategy.ts";
import { deploymentStrategy, replicaSetStrategy } from "./workload-strategies.ts";

/** By `group/kind`. A kind without an entry has neither defaults nor rules of its own. */
export const STRATEGIES: Readonly<Record<string, Strategy>> = {
  "/ConfigMap": configMapStrategy,
  "/Endpoints": endpointsStrategy,
  "/Event": eventStrategy,
  "/Namespace": namespaceStrategy,
  "/Node": nodeStrategy,
  "/Pod": podStrategy,
  "/Secret": secretStrategy,
  "/Service": serviceStrategy,
  "/ServiceAccount": serviceAccountStrategy,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": webhookStrategy(true),
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": webhookStrategy(false),
  "apiextensions.k8s.io/CustomResourceDefinition": crdStrategy,
  "apiregistration.k8s.io/APIService": apiServiceStrategy,
  "apps/ControllerRevision": controllerRevisionStrategy,
  "apps/Deployment": deploymentStrategy,
  "apps/ReplicaSet": replicaSetStrategy,
  "autoscaling/HorizontalPodAutoscaler": autoscalerStrategy,
  "coordination.k8s.io/Lease": leaseStrategy,
  "discovery.k8s.io/EndpointSlice": endpointSliceStrategy,
  "events.k8s.io/Event": eventStrategy,
  "policy/PodDisruptionBudget": budgetStrategy,
  "rbac.authorization.k8s.io/ClusterRole": roleStrategy,
  "rbac.authorization.k8s.io/ClusterRoleBinding": roleBindingStrategy,
  "rbac.authorization.k8s.io/Role": roleStrategy,
  "rbac.authorization.k8s.io/RoleBinding": roleBindingStrategy,
};
