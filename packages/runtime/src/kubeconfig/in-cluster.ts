import { type Connection, fingerprintOf } from "./connection.ts";
import { environmentProxy } from "./environment-proxy.ts";
import { KubeconfigError } from "./errors.ts";
import type { Machine } from "./machine.ts";
import { codeOf, tokenFileCredentials } from "./token-file.ts";
import { TlsSource } from "./tls-source.ts";
import { WatchedFile } from "./watched-file.ts";

const FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";
const OWNER = "the pod's service account";

export function isInCluster({ env }: Machine): boolean {
  return (env["KUBERNETES_SERVICE_HOST"] ?? "") !== "" && (env["KUBERNETES_SERVICE_PORT"] ?? "") !== "";
}

/** The cluster that this pod runs in, as its service account. Token and authority are read again as they rotate. */
export async function inClusterConnection(machine: Machine): Promise<Connection> {
  const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "" } = machine.env;
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const context = { owner: OWNER, source: `${FOLDER}/`, machine };
  const trust = { ...context, value: { server, "certificate-authority": `${FOLDER}/ca.crt` } };
  const tls = new TlsSource(trust, { ...context, value: {} }, undefined);
  await tls.current();
  const namespace = await machine.readFile(`${FOLDER}/namespace`).catch((error: unknown) => {
    throw new KubeconfigError("Unreadable", `${OWNER}: ${FOLDER}/namespace can't be read (${codeOf(error)})`);
  });
  const proxyUrl = environmentProxy(machine, server);
  return {
    name: "in-cluster",
    origin: OWNER,
    endpoint: { server, tls: () => tls.current(), ...(proxyUrl !== undefined && { proxyUrl }) },
    credentials: tokenFileCredentials(new WatchedFile(machine, `${FOLDER}/token`), OWNER),
    namespace: namespace.toString("utf8").trim(),
    fingerprint: fingerprintOf([server]),
  };
}
