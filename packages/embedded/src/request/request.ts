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
  const segments = pathname.split("/").map(decodeSegment);
  const [, root, first = "", second = ""] = segments;
  if (root === "api") return resourceIn(segments.slice(3), "", first);
  return root === "apis" ? resourceIn(segments.slice(4), first, second) : undefined;
}

function resourceIn(rest: string[], group: string, version: string): ResourcePath | undefined {
  if (rest.at(-1) === "") rest.pop();
  if (rest.length === 0 || rest.length > 5 || rest.includes("")) return undefined;
  const isWithin = isWithinNamespace(rest);
  const from = isWithin ? 2 : 0;
  const namespace = isWithin ? rest[1] : undefined;
  return { group, version, namespace, plural: rest[from] ?? "", name: rest[from + 1], subresource: rest[from + 2] };
}

/** `namespaces/x/status` is a subresource of the namespace; `namespaces/x/pods` a collection within it. */
function isWithinNamespace([first, , third]: readonly string[]): boolean {
  return first === "namespaces" && third !== undefined && third !== "status" && third !== "finalize";
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
