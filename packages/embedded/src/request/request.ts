import type { TransportRequest } from "@chaski/kube";
import type { User } from "../auth/user.ts";
import type { Resource, Subresource } from "../registry/resource.ts";

/** A request for one of the served resources, understood but not yet checked. */
export interface ResourceRequest {
  readonly verb: Verb;
  readonly resource: Resource;
  readonly subresource: Subresource | undefined;
  readonly namespace: string | undefined;
  /** Undefined for collections. */
  readonly name: string | undefined;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal | undefined;
  readonly user: User;
  /** Told to the client in Warning headers. */
  readonly warnings: string[];
}

export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection";

/** A request's path and query. Nothing is resolved in it: `..` leads nowhere. */
export interface Target {
  readonly pathname: string;
  readonly searchParams: URLSearchParams;
}

export function parseTarget(path: string): Target {
  const mark = path.indexOf("?");
  if (mark < 0) return { pathname: path, searchParams: new URLSearchParams() };
  return { pathname: path.slice(0, mark), searchParams: new URLSearchParams(path.slice(mark + 1)) };
}

/** Where a path leads, before it is known whether that is served. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly namespace: string | undefined;
  readonly plural: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** `/api/v1/…` or `/apis/group/version/…`; undefined for every other path. */
export function parseResourcePath(pathname: string): ResourcePath | undefined {
  const [, root, ...segments] = pathname.split("/").map(decodeSegment);
  if (root !== "api" && root !== "apis") return undefined;
  const group = root === "api" ? "" : (segments.shift() ?? "");
  const version = segments.shift() ?? "";
  if (segments.at(-1) === "") segments.pop();
  if (segments.length === 0 || segments.length > 5 || segments.includes("")) return undefined;
  return { group, version, ...splitNamespace(segments) };
}

function splitNamespace(rest: readonly string[]): Omit<ResourcePath, "group" | "version"> {
  // `namespaces/x/status` is a subresource of the namespace; `namespaces/x/pods` a collection within it.
  const isWithin = rest[0] === "namespaces" && rest.length > 2 && !["status", "finalize"].includes(rest[2] ?? "");
  const [plural = "", name, subresource] = isWithin ? rest.slice(2) : rest;
  return { namespace: isWithin ? rest[1] : undefined, plural, name, subresource };
}

function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function verbOf({ method }: TransportRequest, name: string | undefined, query: URLSearchParams): Verb {
  if (name !== undefined) return ON_OBJECTS[method];
  return method === "GET" && isTrue(query.get("watch")) ? "watch" : ON_COLLECTIONS[method];
}

const WRITES = { POST: "create", PUT: "update", PATCH: "patch" } as const;
const ON_OBJECTS: Readonly<Record<TransportRequest["method"], Verb>> = { ...WRITES, GET: "get", DELETE: "delete" };
const ON_COLLECTIONS: Readonly<Record<TransportRequest["method"], Verb>> = {
  ...WRITES,
  GET: "list",
  DELETE: "deletecollection",
};

export function isTrue(value: string | null): boolean {
  return value !== null && value !== "" && value !== "0" && value.toLowerCase() !== "false";
}
