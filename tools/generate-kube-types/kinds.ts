/** A built-in kind that the project reads or writes. */
export interface BuiltInKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  /** The full name of its schema. */
  readonly schema: string;
}

const modulePrefixes: Readonly<Record<string, string>> = {
  "apiextensions.k8s.io/v1": "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
  "apiregistration.k8s.io/v1": "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1",
};

function kindsOf(apiVersion: string, plurals: Readonly<Record<string, string>>, isNamespaced: boolean): BuiltInKind[] {
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["core", apiVersion];
  const prefix = modulePrefixes[apiVersion] ?? `io.k8s.api.${group?.split(".")[0]}.${version}`;
  return Object.entries(plurals).map(([kind, plural]) => ({
    apiVersion,
    kind,
    plural,
    isNamespaced,
    schema: `${prefix}.${kind}`,
  }));
}

const namespaced = (apiVersion: string, plurals: Readonly<Record<string, string>>) =>
  kindsOf(apiVersion, plurals, true);
const clusterWide = (apiVersion: string, plurals: Readonly<Record<string, string>>) =>
  kindsOf(apiVersion, plurals, false);

export const builtInKinds: readonly BuiltInKind[] = [
  ...clusterWide("v1", { Namespace: "namespaces", Node: "nodes" }),
  ...namespaced("v1", {
    ConfigMap: "configmaps",
    Endpoints: "endpoints",
    Event: "events",
    LimitRange: "limitranges",
    PersistentVolumeClaim: "persistentvolumeclaims",
    Pod: "pods",
    ResourceQuota: "resourcequotas",
    Secret: "secrets",
    Service: "services",
    ServiceAccount: "serviceaccounts",
  }),
  ...clusterWide("admissionregistration.k8s.io/v1", {
    MutatingWebhookConfiguration: "mutatingwebhookconfigurations",
    ValidatingWebhookConfiguration: "validatingwebhookconfigurations",
  }),
  ...clusterWide("apiextensions.k8s.io/v1", { CustomResourceDefinition: "customresourcedefinitions" }),
  ...clusterWide("apiregistration.k8s.io/v1", { APIService: "apiservices" }),
  ...namespaced("apps/v1", {
    ControllerRevision: "controllerrevisions",
    DaemonSet: "daemonsets",
    Deployment: "deployments",
    ReplicaSet: "replicasets",
    StatefulSet: "statefulsets",
  }),
  ...clusterWide("authentication.k8s.io/v1", { TokenReview: "tokenreviews" }),
  ...clusterWide("authorization.k8s.io/v1", {
    SelfSubjectAccessReview: "selfsubjectaccessreviews",
    SubjectAccessReview: "subjectaccessreviews",
  }),
  ...namespaced("autoscaling/v1", { Scale: "" }),
  ...namespaced("autoscaling/v2", { HorizontalPodAutoscaler: "horizontalpodautoscalers" }),
  ...namespaced("batch/v1", { CronJob: "cronjobs", Job: "jobs" }),
  ...namespaced("coordination.k8s.io/v1", { Lease: "leases" }),
  ...namespaced("discovery.k8s.io/v1", { EndpointSlice: "endpointslices" }),
  ...namespaced("events.k8s.io/v1", { Event: "events" }),
  ...namespaced("networking.k8s.io/v1", { Ingress: "ingresses", NetworkPolicy: "networkpolicies" }),
  ...namespaced("policy/v1", { PodDisruptionBudget: "poddisruptionbudgets" }),
  ...clusterWide("rbac.authorization.k8s.io/v1", {
    ClusterRole: "clusterroles",
    ClusterRoleBinding: "clusterrolebindings",
  }),
  ...namespaced("rbac.authorization.k8s.io/v1", { Role: "roles", RoleBinding: "rolebindings" }),
];
