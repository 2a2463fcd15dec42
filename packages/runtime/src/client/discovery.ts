import type { Kind } from "@chaski/kube";
import type { CallOptions, ServedResource } from "./client.ts";
import { NotFound } from "./errors.ts";
import { groupVersionPath } from "./paths.ts";
import type { Requester } from "./requester.ts";

interface ResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

interface AggregatedList {
  readonly kind?: string;
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly resources?: readonly AggregatedResource[];
    }[];
  }[];
}

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind: string };
  readonly scope: "Cluster" | "Namespaced";
  readonly verbs: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

interface GroupList {
  readonly groups?: readonly {
    readonly versions: readonly { readonly groupVersion: string }[];
  }[];
}

type GroupVersion = Pick<Kind, "group" | "version">;

const AGGREGATED = ["v2", "v2beta1"]
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat("application/json")
  .join(",");

export async function servesKind(requester: Requester, kind: Kind, options?: CallOptions): Promise<boolean> {
  const served = await legacyResources(requester, kind, options);
  return served.some(({ plural }) => plural === kind.plural);
}

/** One request for each of the two roots; a server without aggregated discovery is asked version by version. */
export async function discover(requester: Requester, options?: CallOptions): Promise<readonly ServedResource[]> {
  const roots = await Promise.all([aggregated(requester, "/api", options), aggregated(requester, "/apis", options)]);
  const isComplete = roots.every(({ kind }) => kind === "APIGroupDiscoveryList");
  return isComplete ? roots.flatMap(resourcesOf) : discoverLegacy(requester, options);
}

function aggregated(requester: Requester, path: string, options?: CallOptions): Promise<AggregatedList> {
  return requester.json({ verb: "discover", method: "GET", path, accept: AGGREGATED }, options);
}

function resourcesOf({ items = [] }: AggregatedList): readonly ServedResource[] {
  return items.flatMap(({ metadata, versions = [] }) =>
    versions.flatMap(({ version, resources = [] }) =>
      resources.map((resource) => servedFrom(metadata?.name ?? "", version, resource)),
    ),
  );
}

function servedFrom(group: string, version: string, resource: AggregatedResource): ServedResource {
  return {
    group,
    version,
    kind: resource.responseKind?.kind ?? "",
    plural: resource.resource,
    isNamespaced: resource.scope === "Namespaced",
    verbs: resource.verbs,
    subresources: (resource.subresources ?? []).map(({ subresource }) => subresource),
  };
}

async function discoverLegacy(requester: Requester, options?: CallOptions): Promise<readonly ServedResource[]> {
  const { groups = [] } = await requester.json<GroupList>({ verb: "discover", method: "GET", path: "/apis" }, options);
  const groupVersions = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => parse(groupVersion)));
  const core = { group: "", version: "v1" };
  return (await Promise.all([core, ...groupVersions].map((each) => legacyResources(requester, each, options)))).flat();
}

async function legacyResources(
  requester: Requester,
  { group, version }: GroupVersion,
  options?: CallOptions,
): Promise<readonly ServedResource[]> {
  const path = groupVersionPath({ group, version });
  try {
    const { resources = [] } = await requester.json<ResourceList>({ verb: "discover", method: "GET", path }, options);
    return resources
      .filter(({ name }) => !name.includes("/"))
      .map(({ name, kind, namespaced, verbs }) => ({
        group,
        version,
        kind,
        plural: name,
        isNamespaced: namespaced,
        verbs,
        subresources: resources.flatMap((other) =>
          other.name.startsWith(`${name}/`) ? other.name.slice(name.length + 1) : [],
        ),
      }));
  } catch (error) {
    if (error instanceof NotFound) return [];
    throw error;
  }
}

function parse(groupVersion: string): GroupVersion {
  const [group = "", version = ""] = groupVersion.split("/");
  return { group, version };
}
