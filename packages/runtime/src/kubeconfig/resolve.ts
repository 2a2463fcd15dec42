import type { TlsMaterial } from "../client/undici-transport.ts";
import { type Connection, fingerprintOf } from "./connection.ts";
import type { ClusterEntry, KubeconfigDocument, UserEntry } from "./document.ts";
import { environmentProxy } from "./environment-proxy.ts";
import { KubeconfigError } from "./errors.ts";
import type { Machine } from "./machine.ts";
import type { FieldContext } from "./material.ts";
import { TlsSource } from "./tls-source.ts";
import { credentialsOf, execPluginOf, impersonationOf } from "./user-credentials.ts";

const PROXY_PROTOCOLS = ["http:", "https:", "socks5:"];

interface Parts {
  readonly origin: string;
  readonly namespace: string | undefined;
  readonly cluster: FieldContext & { readonly value: ClusterEntry };
  readonly user: FieldContext & { readonly value: UserEntry };
}

/** One context of a kubeconfig, ready to be connected to. Files are read now, so that what is wrong is told now. */
export async function resolveContext(
  document: KubeconfigDocument,
  name: string,
  machine: Machine | undefined,
): Promise<Connection> {
  const { origin, namespace, cluster, user } = lookUp(document, name, machine);
  const exec = execPluginOf(user.value, cluster, user);
  const credentials = exec ?? credentialsOf(user.value, user);
  const impersonate = impersonationOf(user.value);
  const tlsSource = new TlsSource(cluster, user, exec);
  // A plugin that fails now may work later: its certificate is asked for with the first request.
  const tls = exec === undefined ? await tlsSource.current() : {};
  return {
    name,
    origin,
    endpoint: {
      server: serverOf(cluster),
      tls: tlsSource.isFixed ? tls : () => tlsSource.current(),
      ...proxyOf(cluster),
      ...(cluster.value["disable-compression"] && { isCompressed: false }),
    },
    ...(credentials && { credentials }),
    ...(impersonate && { impersonate }),
    ...(namespace !== undefined && { namespace }),
    fingerprint: fingerprintOf([cluster.value, user.value, ...contentsOf(tls)]),
  };
}

function lookUp(document: KubeconfigDocument, name: string, machine: Machine | undefined): Parts {
  const context = document.contexts.get(name);
  if (context === undefined) {
    throw new KubeconfigError(
      "UnknownContext",
      `${document.source} has no context ${name}; it has ${list(document.contexts)}`,
    );
  }
  const { cluster: clusterName = "", user: userName, namespace } = context.value;
  const cluster = document.clusters.get(clusterName);
  const where = `context ${name} of ${context.source}`;
  if (cluster === undefined) {
    throw new KubeconfigError(
      "MissingCluster",
      `${where} names the cluster "${clusterName}", which is not there; add it`,
    );
  }
  const user = userName === undefined ? { value: {}, source: context.source } : document.users.get(userName);
  if (user === undefined) {
    throw new KubeconfigError("MissingUser", `${where} names the user "${userName}", which is not there; add it`);
  }
  return {
    origin: where,
    namespace,
    cluster: { ...cluster, owner: `cluster ${clusterName} of ${cluster.source}`, machine },
    user: { ...user, owner: `user ${userName ?? "(none)"} of ${user.source}`, machine },
  };
}

function serverOf({ owner, value: { server } }: Parts["cluster"]): string {
  const isUrl = server !== undefined && ["http:", "https:"].includes(URL.parse(server)?.protocol ?? "");
  if (isUrl) return server;
  throw new KubeconfigError("BadServer", `${owner}: its server should be a URL such as https://host:6443`);
}

function proxyOf({ owner, value, machine }: Parts["cluster"]): { proxyUrl?: string } {
  const fromEnvironment = machine && environmentProxy(machine, value.server ?? "");
  const proxyUrl = value["proxy-url"] ?? fromEnvironment;
  if (proxyUrl === undefined) return {};
  if (PROXY_PROTOCOLS.includes(URL.parse(proxyUrl)?.protocol ?? "")) return { proxyUrl };
  const field = value["proxy-url"] === undefined ? "the proxy of the environment" : "its proxy-url";
  throw new KubeconfigError("BadServer", `${owner}: ${field} should be an http, https or socks5 URL`);
}

function contentsOf({ ca, cert, key }: TlsMaterial): readonly string[] {
  return [ca, cert, key].map((piece) => piece?.toString("base64") ?? "");
}

function list(contexts: ReadonlyMap<string, unknown>): string {
  return contexts.size === 0 ? "none" : [...contexts.keys()].join(", ");
}
