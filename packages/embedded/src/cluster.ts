import { type Clock, type Random, RealClock, systemRandom } from "@chaski/clock";
import type { Transport } from "@chaski/kube";
import { builtinResources } from "./registry/builtin.ts";
import { Registry } from "./registry/registry.ts";
import type { Api } from "./server/api.ts";
import { Handler } from "./server/handler.ts";
import { removeStored } from "./verbs/delete.ts";
import { serveDefinitions } from "./crd/definitions.ts";
import { Store } from "./storage/store.ts";

export interface EmbeddedClusterOptions {
  readonly clock?: Clock;
  readonly random?: Random;
}

export interface EmbeddedCluster {
  /** For clients in this process: no sockets, no certificates, the rights of an administrator. */
  readonly transport: Transport;
  close(): Promise<void>;
}

/** A Kubernetes API server inside this process. */
export async function createEmbeddedCluster(options: EmbeddedClusterOptions = {}): Promise<EmbeddedCluster> {
  const clock = options.clock ?? new RealClock();
  const registry = new Registry();
  for (const resource of builtinResources()) registry.add(resource);
  const api: Api = {
    clock,
    random: options.random ?? systemRandom,
    store: new Store(clock),
    registry,
    removeObject: (resource, stored) => {
      if (resource) removeStored(api, { resource }, { stored, options: { isDryRun: false } });
    },
  };
  serveDefinitions(api);
  const handler = new Handler(api);
  await createNamespaces(handler);
  const transport: Transport = { send: (request) => handler.handle(request), close: async () => {} };
  return { transport, close: async () => {} };
}

async function createNamespaces(handler: Handler): Promise<void> {
  for (const name of ["default", "kube-node-lease", "kube-public", "kube-system"]) {
    const body = JSON.stringify({ metadata: { name } });
    await handler.handle({
      method: "POST",
      path: "/api/v1/namespaces",
      headers: { "user-agent": "kube-apiserver" },
      body,
    });
  }
}
