// Which resources the embedded API server serves, and how the real one describes them in discovery.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** By group and version: the resources that the project, its tests or kubectl on its objects use. */
const SERVED: Readonly<Record<string, readonly string[]>> = {
  v1: [
    "configmaps",
    "endpoints",
    "events",
    "namespaces",
    "namespaces/finalize",
    "namespaces/status",
    "nodes",
    "nodes/status",
    "pods",
    "pods/binding",
    "pods/eviction",
    "pods/status",
    "secrets",
    "serviceaccounts",
    "serviceaccounts/token",
    "services",
    "services/status",
  ],
  "admissionregistration.k8s.io/v1": ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"],
  "apiextensions.k8s.io/v1": ["customresourcedefinitions", "customresourcedefinitions/status"],
  "apiregistration.k8s.io/v1": ["apiservices", "apiservices/status"],
  "apps/v1": [
    "controllerrevisions",
    "deployments",
    "deployments/scale",
    "deployments/status",
    "replicasets",
    "replicasets/scale",
    "replicasets/status",
  ],
  "authentication.k8s.io/v1": ["selfsubjectreviews", "tokenreviews"],
  "authorization.k8s.io/v1": [
    "localsubjectaccessreviews",
    "selfsubjectaccessreviews",
    "selfsubjectrulesreviews",
    "subjectaccessreviews",
  ],
  "autoscaling/v2": ["horizontalpodautoscalers", "horizontalpodautoscalers/status"],
  "coordination.k8s.io/v1": ["leases"],
  "discovery.k8s.io/v1": ["endpointslices"],
  "events.k8s.io/v1": ["events"],
  "policy/v1": ["poddisruptionbudgets", "poddisruptionbudgets/status"],
  "rbac.authorization.k8s.io/v1": ["clusterrolebindings", "clusterroles", "rolebindings", "roles"],
};

export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The kind that the body has, where it is not of the resource's own group: Scale, Eviction, TokenRequest. */
  readonly bodyKind?: { readonly group: string; readonly version: string; readonly kind: string };
  readonly plural: string;
  readonly subresource?: string;
  readonly singular: string;
  readonly isNamespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

interface ApiResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

export async function readDiscovery(folder: string): Promise<Record<string, ServedResource>> {
  const served: Record<string, ServedResource> = {};
  for (const [groupVersion, names] of Object.entries(SERVED)) {
    const isCore = !groupVersion.includes("/");
    const file = join(folder, `${isCore ? "api" : "apis"}__${groupVersion.replace("/", "__")}.json`);
    const { resources } = JSON.parse(await readFile(file, "utf8")) as { resources: ApiResource[] };
    for (const name of names) {
      const found = resources.find((resource) => resource.name === name);
      if (!found) throw new Error(`the real API server has no ${name} in ${groupVersion}`);
      served[`${groupVersion}/${name}`] = describe(groupVersion, found);
    }
  }
  return served;
}

function describe(groupVersion: string, resource: ApiResource): ServedResource {
  const [group, version] = groupVersion.includes("/") ? groupVersion.split("/") : ["", groupVersion];
  const [plural = "", subresource] = resource.name.split("/");
  const { kind, verbs } = resource;
  return {
    group: group ?? "",
    version: version ?? "",
    kind,
    plural,
    ...(subresource && { subresource }),
    ...(resource.version && { bodyKind: { group: resource.group ?? "", version: resource.version, kind } }),
    singular: resource.singularName,
    isNamespaced: resource.namespaced,
    verbs,
    ...optional(resource),
  };
}

function optional({ shortNames, categories, storageVersionHash }: ApiResource): Partial<ServedResource> {
  return {
    ...(shortNames && { shortNames }),
    ...(categories && { categories }),
    ...(storageVersionHash && { storageVersionHash }),
  };
}
