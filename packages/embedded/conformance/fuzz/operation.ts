// One step of a sequence, as plain data: it can be printed, cut down and run again.
import type { Scene } from "../case.ts";
import type { Answer, Requests } from "../requests.ts";
import type { FuzzedKind } from "./kinds.ts";
import { deepMerge, type Json } from "./json.ts";

export type Verb = "create" | "update" | "merge" | "strategic" | "json" | "apply" | "delete" | "clear" | "get" | "list";

export interface Operation {
  readonly verb: Verb;
  readonly name: string;
  readonly apiVersion: string;
  /** `status` or `scale`; the object itself when absent. */
  readonly subresource?: string;
  /** Without `?`. */
  readonly query?: string;
  readonly body?: Json;
  /** What an update says of the object's resourceVersion. */
  readonly version?: "current" | "none" | "stale";
}

export interface Sequence {
  readonly seed: number;
  readonly kind: FuzzedKind;
  readonly operations: readonly Operation[];
}

const CONTENT_TYPES: Partial<Record<Verb, string>> = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
  apply: "application/apply-patch+yaml",
};
const METHODS = { get: "GET", list: "GET", create: "POST", update: "PUT", delete: "DELETE", clear: "DELETE" } as const;
const LAST = "zz-last";

/** Every answer is recorded, and at the end what a watcher since the beginning saw. */
export async function run({ kind, operations }: Sequence, scene: Scene): Promise<void> {
  const { api, path } = scene;
  const quiet = api.unrecorded();
  const at = path(kind.apiVersions[0], kind.plural);
  const { body } = await quiet.get(at);
  for (const operation of operations) await perform(operation, kind, scene);
  await api.get(at);
  await quiet.post(at, { apiVersion: kind.apiVersions[0], kind: kind.kind, metadata: { name: LAST }, ...kind.base });
  const watch = `${at}?watch=true&resourceVersion=${body.metadata.resourceVersion}`;
  await api.eventsUntil(watch, ({ object }) => object.metadata?.name === LAST);
  if (kind.kind === "Service") await releaseAddresses(quiet, at);
}

/** A small cluster has few of them. */
async function releaseAddresses(api: Requests, services: string): Promise<void> {
  for (const name of ["one", "two", LAST]) {
    await api.merge(`${services}/${name}`, { metadata: { finalizers: null } });
    await api.delete(`${services}/${name}`);
  }
}

async function perform(operation: Operation, kind: FuzzedKind, scene: Scene): Promise<Answer> {
  const { verb, body } = operation;
  const address = pathOf(operation, kind, scene.path);
  if (verb === "update") return update(operation, address, scene);
  const contentType = CONTENT_TYPES[verb];
  const method = METHODS[verb as keyof typeof METHODS] ?? "PATCH";
  return scene.api.send(method, address, body, contentType ? { contentType } : {});
}

/** Reads, changes and writes back, as a client would. */
async function update({ body, version, apiVersion }: Operation, address: string, scene: Scene): Promise<Answer> {
  const live = await scene.api.unrecorded().get(address.replace(/\?.*/, ""));
  const read = live.status === 200 ? live.body : { apiVersion };
  const resourceVersion = { none: null, stale: "1", current: undefined }[version ?? "current"];
  const next = deepMerge(read, body ?? {});
  const metadata = resourceVersion === undefined ? {} : { metadata: { resourceVersion } };
  return scene.api.put(address, deepMerge(next, metadata));
}

function pathOf(operation: Operation, { plural }: FuzzedKind, path: Scene["path"]): string {
  const { verb, name, apiVersion, subresource, query } = operation;
  const isOfMany = verb === "create" || verb === "list" || verb === "clear";
  const rest = isOfMany ? [] : [name, ...(subresource ? [subresource] : [])];
  return `${path(apiVersion, plural, ...rest)}${query ? `?${query}` : ""}`;
}

export function describe(operation: Operation, kind: FuzzedKind): string {
  const path = pathOf(operation, kind, (apiVersion, ...rest) => [apiVersion, ...rest].join("/"));
  const version = operation.version === undefined ? "" : ` (resourceVersion: ${operation.version})`;
  return `${operation.verb} ${path}${version}${operation.body ? ` ${JSON.stringify(operation.body)}` : ""}`;
}
