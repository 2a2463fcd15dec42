import { type Clock, type Random, RealClock, systemRandom } from "@chaski/clock";
import type { Transport, TransportRequest } from "@chaski/kube";
import { Authentication } from "./auth/authentication.ts";
import { allowAuthenticated } from "./auth/authorization.ts";
import { RoleBasedAccess } from "./auth/rbac.ts";
import { ADMIN, type User } from "./auth/user.ts";
import { budgetAgainstEviction } from "./builtin/disruption.ts";
import { Faults } from "./faults/faulty-transport.ts";
import { listen, type Listening, type ListenOptions } from "./https/listen.ts";
import { builtinResources } from "./builtin/resources.ts";
import { Registry } from "./registry/registry.ts";
import type { Api } from "./request/api.ts";
import { Handler } from "./server/handler.ts";
import { startControllers } from "./controllers/index.ts";
import { removeStored } from "./verbs/delete.ts";
import { serveDefinitions } from "./crd/definitions.ts";
import { Store } from "./storage/store.ts";
import type { WorkloadsOptions } from "./workloads/options.ts";
import { startWorkloads, type Workloads } from "./workloads/workloads.ts";

export interface EmbeddedClusterOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** Garbage collection and the draining of namespaces, as the controller manager does them. On unless false. */
  readonly controllers?: boolean;
  /** Whether roles and bindings decide who may do what; else whoever is authenticated may do everything. */
  readonly rbac?: boolean;
  /** Where Services that webhooks name can be reached: an https URL without a path. */
  readonly serviceUrl?: (namespace: string, name: string, port: number) => string | undefined;
  /** Runs Deployments, ReplicaSets and pods on simulated nodes. Off unless given. */
  readonly workloads?: WorkloadsOptions;
  /** Told of every request and how it was answered, as an audit log would be. */
  readonly audit?: (request: TransportRequest, status: number) => void;
}

export interface EmbeddedCluster {
  /** For clients in this process: no sockets, no certificates, the rights of an administrator. */
  readonly transport: Transport;
  /** The same for somebody else. */
  transportAs(user: User): Transport;
  /** Lets whoever sends this bearer token in as the user. */
  addToken(token: string, user: User): void;
  /** What goes wrong between the cluster and its clients: nothing, unless asked for. */
  readonly faults: Faults;
  /** The caller's hold on the pods. Throws unless the cluster was created with workloads. */
  readonly workloads: Workloads;
  /** Serves HTTPS on loopback; may be called more than once. */
  listen(options?: ListenOptions): Promise<Listening>;
  close(): Promise<void>;
}

/** A Kubernetes API server inside this process. */
export async function createEmbeddedCluster(options: EmbeddedClusterOptions = {}): Promise<EmbeddedCluster> {
  const closing = new AbortController();
  const api = createApi(options, closing.signal);
  serveDefinitions(api);
  if (options.controllers !== false) startControllers(api);
  const handler = new Handler(api);
  await createNamespaces(handler);
  const workloads = options.workloads && (await startWorkloads(api, options.workloads));
  const listeners: Listening[] = [];
  const faults = new Faults(api);
  const answer: Handler["handle"] = (request, user) =>
    faults.send((sent) => handler.handle(sent, user), request, user?.name);
  const handle = options.audit ? audited(answer, options.audit) : answer;
  const transportAs = (user: User): Transport => ({ send: (request) => handle(request, user), close: async () => {} });
  return {
    transport: transportAs(ADMIN),
    transportAs,
    faults,
    get workloads(): Workloads {
      if (!workloads) throw new Error("this cluster was created without workloads");
      return workloads;
    },
    addToken: (token, user) => api.authentication.addToken(token, user),
    listen: async (listenOptions) => {
      const listening = await listen({ api, handler: { handle }, ...listenOptions });
      listeners.push(listening);
      return listening;
    },
    close: async () => {
      workloads?.stop();
      closing.abort();
      await Promise.all(listeners.map((listening) => listening.close()));
    },
  };
}

function audited(handle: Handler["handle"], audit: NonNullable<EmbeddedClusterOptions["audit"]>): Handler["handle"] {
  return async (request, user) => {
    const response = await handle(request, user);
    audit(request, response.status);
    return response;
  };
}

function createApi(options: EmbeddedClusterOptions, closing: AbortSignal): Api {
  const { clock = new RealClock(), random = systemRandom, rbac, serviceUrl = () => undefined } = options;
  const registry = new Registry();
  for (const resource of builtinResources()) registry.add(resource);
  const store = new Store(clock);
  const api: Api = {
    clock,
    random,
    store,
    registry,
    closing,
    authentication: new Authentication(),
    authorizer: rbac === true ? new RoleBasedAccess(store) : allowAuthenticated,
    serviceUrl,
    budgetAgainstEviction: (pod) => budgetAgainstEviction(store, pod),
    removeObject: (resource, stored) => {
      if (resource) removeStored(api, { resource }, { stored, options: { isDryRun: false } });
    },
  };
  return api;
}

async function createNamespaces(handler: Handler): Promise<void> {
  for (const name of ["default", "kube-node-lease", "kube-public", "kube-system"]) {
    const body = JSON.stringify({ metadata: { name } });
    const headers = { "user-agent": "kube-apiserver" };
    await handler.handle({ method: "POST", path: "/api/v1/namespaces", headers, body });
  }
}
