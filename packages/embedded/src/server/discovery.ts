// What is served, told in the three forms that clients ask for: per group, per version, and all at once.
import { apiVersionOf, type Resource } from "../registry/resource.ts";
import type { Registry } from "../registry/registry.ts";

/** The order in which the real server lists its groups; groups of CustomResourceDefinitions come after, by name. */
const GROUP_ORDER = [
  "apiregistration.k8s.io",
  "apps",
  "events.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "policy",
  "rbac.authorization.k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
];

export function apiVersions(): object {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "127.0.0.1:6443" }],
  };
}

export function groupList(registry: Registry): object {
  return {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: groupNames(registry).map((group) => groupOf(registry, group)),
  };
}

/** Undefined: no such group. */
export function groupDocument(registry: Registry, group: string): object | undefined {
  if (!groupNames(registry).includes(group)) return undefined;
  return { kind: "APIGroup", apiVersion: "v1", ...groupOf(registry, group) };
}

function groupOf(registry: Registry, group: string): object {
  const versions = versionsOf(registry, group).map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions, preferredVersion: versions[0] };
}

function groupNames(registry: Registry): string[] {
  const names = [...new Set(registry.all().map(({ group }) => group))].filter((group) => group !== "");
  const rank = (group: string): number => GROUP_ORDER.indexOf(group) + 1 || GROUP_ORDER.length + 1;
  return names.toSorted((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1));
}

/** Newest and stablest first: v2, v1, v1beta1, v1alpha1. */
function versionsOf(registry: Registry, group: string): string[] {
  const versions = new Set(
    registry
      .all()
      .filter((resource) => resource.group === group)
      .map(({ version }) => version),
  );
  return [...versions].toSorted(compareVersions);
}

function compareVersions(left: string, right: string): number {
  const [a, b] = [versionRank(left), versionRank(right)];
  for (let index = 0; index < a.length; index++) {
    const difference = (b[index] ?? 0) - (a[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left < right ? -1 : 1;
}

function versionRank(version: string): number[] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) return [0, 0, 0];
  const stability = match[2] === undefined ? 3 : match[2] === "beta" ? 2 : 1;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
}

/** Undefined: no such group and version. */
export function resourceList(registry: Registry, group: string, version: string): object | undefined {
  const resources = inVersion(registry, group, version);
  if (resources.length === 0) return undefined;
  return {
    kind: "APIResourceList",
    ...(group !== "" && { apiVersion: "v1" }),
    groupVersion: apiVersionOf({ group, version }),
    resources: resources.flatMap(legacyEntries),
  };
}

function inVersion(registry: Registry, group: string, version: string): Resource[] {
  return registry
    .all()
    .filter((resource) => resource.group === group && resource.version === version)
    .toSorted((left, right) => (left.plural < right.plural ? -1 : 1));
}

function legacyEntries(resource: Resource): object[] {
  const { plural, singular, isNamespaced, kind, verbs, shortNames, categories, storageVersionHash } = resource;
  const main = {
    name: plural,
    singularName: singular,
    namespaced: isNamespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(storageVersionHash && { storageVersionHash }),
  };
  const subresources = [...resource.subresources.values()].map((subresource) => ({
    name: `${plural}/${subresource.name}`,
    singularName: "",
    namespaced: isNamespaced,
    ...(isForeign(resource, subresource.kind) && { group: subresource.kind.group, version: subresource.kind.version }),
    kind: subresource.kind.kind,
    verbs: subresource.verbs,
  }));
  return [main, ...subresources];
}

function isForeign(resource: Resource, kind: { group: string; version: string }): boolean {
  return kind.group !== resource.group || kind.version !== resource.version;
}

/** `apidiscovery.k8s.io/v2`: `/api` holds the core group alone, `/apis` all the others. */
export function aggregated(registry: Registry, isCore: boolean): object {
  const groups = isCore ? [""] : groupNames(registry);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map((group) => ({
      metadata: { name: group, creationTimestamp: null },
      versions: versionsOf(registry, group).map((version) => ({
        version,
        resources: inVersion(registry, group, version).map(aggregatedEntry),
        freshness: "Current",
      })),
    })),
  };
}

function aggregatedEntry(resource: Resource): object {
  const { plural, singular, isNamespaced, kind, group, version, verbs, shortNames, categories } = resource;
  const responseKind = resource.isCustom ? { group, version, kind } : { group: "", version: "", kind };
  const subresources = [...resource.subresources.values()].map((subresource) => ({
    subresource: subresource.name,
    responseKind: isForeign(resource, subresource.kind)
      ? subresource.kind
      : { ...responseKind, kind: subresource.kind.kind },
    verbs: subresource.verbs,
  }));
  return {
    resource: plural,
    responseKind,
    scope: isNamespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}
