// The objects that install the operator. `npm run generate` writes them to config/.
import { CANARY_GROUP, canaryResource, crdOf, releaseResources } from "@chaski/api";
import { ENVIRONMENT } from "@chaski/runtime";
import { compose, WINGS } from "./compose.ts";
import { WEBHOOK_CONFIGURATION, WEBHOOK_SERVICE } from "./webhooks.ts";
import { releaseWebhooks } from "./release-webhooks.ts";
import { clusterRules, namespaceRules, targetRules } from "./rbac.ts";
import { VERSION } from "./version.ts";

export const NAMESPACE = "chaski-system";
const NAME = "chaski";
const LABELS = { "app.kubernetes.io/name": NAME };
const HEALTH_PORT = 8081;
const WEBHOOK_PORT = 9443;
const CONFIG_FOLDER = "/etc/chaski";
const CONFIG_FILE = "config.yaml";

export type Manifest = Readonly<Record<string, unknown>>;

/** What an installation chooses. The chart gives placeholders of its templates, so the types are wide. */
export interface InstallValues {
  readonly namespace: string;
  readonly image: string;
  readonly replicas: unknown;
  readonly resources: unknown;
  readonly wings: string;
  /** The configuration file. */
  readonly config: string;
}

export const INSTALL_DEFAULTS: InstallValues = {
  namespace: NAMESPACE,
  image: `chaski:${VERSION}`,
  replicas: 2,
  resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "512Mi" } },
  wings: WINGS.join(","),
  config: "apiVersion: chaski.dev/v1alpha1\nkind: OperatorConfig",
};

export function rbacManifests({ namespace }: InstallValues): readonly Manifest[] {
  const composition = compose({ wings: WINGS, concurrentCanaries: 1 });
  const subjects = [{ kind: "ServiceAccount", name: NAME, namespace }];
  const rbac = { apiVersion: "rbac.authorization.k8s.io/v1" };
  const inNamespace = { name: NAME, namespace, labels: LABELS };
  const roleRef = (kind: string) => ({ apiGroup: "rbac.authorization.k8s.io", kind, name: NAME });
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: inNamespace },
    { ...rbac, kind: "ClusterRole", metadata: { name: NAME, labels: LABELS }, rules: clusterRules(composition) },
    {
      ...rbac,
      kind: "ClusterRoleBinding",
      metadata: { name: NAME, labels: LABELS },
      roleRef: roleRef("ClusterRole"),
      subjects,
    },
    { ...rbac, kind: "Role", metadata: inNamespace, rules: namespaceRules() },
    { ...rbac, kind: "RoleBinding", metadata: inNamespace, roleRef: roleRef("Role"), subjects },
  ];
}

/** What the account that a Cluster's Secret names has to be allowed on that cluster. */
export function targetManifests(): readonly Manifest[] {
  const metadata = { name: `${NAME}-target`, labels: LABELS };
  const rules = targetRules(compose({ wings: WINGS, concurrentCanaries: 1 }));
  return [{ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata, rules }];
}

export function operatorManifests(values: InstallValues): readonly Manifest[] {
  return [configMap(values), deployment(values), service(values), webhooks(values)];
}

/** Followed when it changes: the kubelet brings the new file, the operator reads it. */
function configMap({ namespace, config }: InstallValues): Manifest {
  const metadata = { name: NAME, namespace, labels: LABELS };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { [CONFIG_FILE]: config } };
}

/** All that `kubectl apply` needs, in the order in which it has to exist. */
export function installManifests(values: InstallValues): readonly Manifest[] {
  return [
    namespaceManifest(values),
    ...crdManifests(),
    ...rbacManifests(values),
    ...operatorManifests(values),
    ...(values.wings.split(",").includes("releases") ? releaseWebhooks(values) : []),
    disruptionBudget(values),
    networkPolicy(values),
  ];
}

export function crdManifests(): readonly Manifest[] {
  return [canaryResource, ...releaseResources].map((resource): Manifest => ({ ...crdOf(resource) }));
}

export function namespaceManifest({ namespace }: InstallValues): Manifest {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels: LABELS } };
}

/** One replica stays while nodes are drained. */
export function disruptionBudget({ namespace }: InstallValues): Manifest {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: NAME, namespace, labels: LABELS },
    spec: { minAvailable: 1, selector: { matchLabels: LABELS } },
  };
}

/** Nothing reaches the operator but probes, scrapes and admission reviews. It calls API servers and judges anywhere. */
export function networkPolicy({ namespace }: InstallValues): Manifest {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: NAME, namespace, labels: LABELS },
    spec: {
      podSelector: { matchLabels: LABELS },
      policyTypes: ["Ingress"],
      ingress: [{ ports: [HEALTH_PORT, WEBHOOK_PORT].map((port) => ({ port, protocol: "TCP" })) }],
    },
  };
}

function deployment(values: InstallValues): Manifest {
  const { namespace, replicas } = values;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: NAME, namespace, labels: LABELS },
    spec: {
      replicas,
      selector: { matchLabels: LABELS },
      template: {
        metadata: { labels: LABELS },
        spec: {
          serviceAccountName: NAME,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
          containers: [container(values)],
          volumes: [{ name: "config", configMap: { name: NAME } }],
        },
      },
    },
  };
}

function container({ namespace, image, resources, wings }: InstallValues): Manifest {
  const probe = (path: string) => ({ httpGet: { path, port: "health" }, periodSeconds: 10 });
  return {
    name: NAME,
    image,
    args: [
      "operator",
      `--wings=${wings}`,
      `--namespace=${namespace}`,
      `--health-port=${HEALTH_PORT}`,
      `--webhook-port=${WEBHOOK_PORT}`,
      `--config=${CONFIG_FOLDER}/${CONFIG_FILE}`,
    ],
    env: Object.entries(ENVIRONMENT).map(([name, value]) => ({ name, value })),
    ports: [
      { name: "health", containerPort: HEALTH_PORT },
      { name: "webhook", containerPort: WEBHOOK_PORT },
    ],
    livenessProbe: probe("/healthz"),
    readinessProbe: probe("/readyz"),
    resources,
    // The folder, not the file alone: a file that is mounted by itself never changes.
    volumeMounts: [{ name: "config", mountPath: CONFIG_FOLDER, readOnly: true }],
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] }, readOnlyRootFilesystem: true },
  };
}

function service({ namespace }: InstallValues): Manifest {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: WEBHOOK_SERVICE, namespace, labels: LABELS },
    spec: { selector: LABELS, ports: [{ name: "webhook", port: 443, targetPort: "webhook" }] },
  };
}

/** A webhook that is down must not stop a roll-back: the controller checks again whatever slipped through. */
function webhooks({ namespace }: InstallValues): Manifest {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: WEBHOOK_CONFIGURATION, labels: LABELS },
    webhooks: [
      {
        name: `canaries.${CANARY_GROUP}`,
        admissionReviewVersions: ["v1"],
        clientConfig: { service: { name: WEBHOOK_SERVICE, namespace, path: "/validate-canary" } },
        failurePolicy: "Ignore",
        matchPolicy: "Equivalent",
        rules: [
          {
            apiGroups: [CANARY_GROUP],
            apiVersions: ["v1alpha1"],
            operations: ["CREATE", "UPDATE", "DELETE"],
            resources: ["canaries"],
          },
        ],
        sideEffects: "None",
        timeoutSeconds: 5,
      },
    ],
  };
}
