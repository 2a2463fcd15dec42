// Everything that is no resource: discovery, version, health.
import type { TransportRequest } from "@chaski/kube";
import version from "../generated/version.json" with { type: "json" };
import { noSuchResource } from "../errors/api-error.ts";
import type { Registry } from "../registry/registry.ts";
import type { Api } from "../request/api.ts";
import { aggregated, apiVersions, groupDocument, groupList, resourceList } from "./discovery.ts";
import { openApiDocument, openApiIndex } from "./openapi.ts";
import type { Target } from "../request/request.ts";
import type { Reply } from "../request/reply.ts";

export function answerOutsideResources({ registry }: Api, url: Target, request: TransportRequest): Reply {
  const [root = "", ...rest] = url.pathname.split("/").filter((segment) => segment !== "");
  const wantsAggregated = AGGREGATED.test(request.headers["accept"] ?? "");
  switch (root) {
    case "api":
      return core(registry, rest, wantsAggregated);
    case "apis":
      return rest.length === 0 && wantsAggregated
        ? json(aggregated(registry, false), AGGREGATED_TYPE)
        : groups(registry, rest);
    case "openapi":
      return openApi(registry, rest);
    case "version":
      return json(versionDocument());
    default:
      return HEALTH.has(root) ? { kind: "text", status: 200, text: "ok" } : pageNotFound();
  }
}

function core(registry: Registry, rest: readonly string[], wantsAggregated: boolean): Reply {
  if (rest.length > 0) return orNotFound(resourceList(registry, "", rest.join("/")));
  return wantsAggregated ? json(aggregated(registry, true), AGGREGATED_TYPE) : json(apiVersions());
}

const HEALTH = new Set(["healthz", "livez", "readyz"]);
const AGGREGATED_TYPE = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const AGGREGATED = /v=v2;as=APIGroupDiscoveryList|as=APIGroupDiscoveryList;(g=[^,;]+;)?v=v2(,|$)/;

function openApi(registry: Registry, [version, ...rest]: readonly string[]): Reply {
  if (version !== "v3") return pageNotFound();
  return rest.length === 0 ? json(openApiIndex(registry)) : orNotFound(openApiDocument(registry, rest.join("/")));
}

function groups(registry: Registry, [group, version]: readonly string[]): Reply {
  if (group === undefined) return json(groupList(registry));
  if (version === undefined || !registry.hasGroup(group)) return orNotFound(groupDocument(registry, group));
  const found = resourceList(registry, group, version);
  if (!found) throw noSuchResource();
  return json(found);
}

function json(body: object, contentType?: string): Reply {
  return { kind: "json", status: 200, body, ...(contentType && { contentType }) };
}

function orNotFound(body: object | undefined): Reply {
  return body ? json(body) : pageNotFound();
}

function pageNotFound(): Reply {
  return { kind: "text", status: 404, text: "404 page not found\n" };
}

function versionDocument(): object {
  const [major = "", minor = ""] = version.gitVersion.slice(1).split(".");
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: `${Number(minor) - 1}`,
    gitVersion: version.gitVersion,
    gitCommit: "",
    gitTreeState: "clean",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "node",
    platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
  };
}
