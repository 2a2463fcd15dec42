// How a Cluster and the Secret of its name become a connection (§14).
import { Cluster } from "@chaski/api";
import { keyOf } from "@chaski/kube";
import {
  type ClusterDefinition,
  type ClusterSource,
  definedBy,
  kubeconfigFromData,
  type SecretData,
} from "@chaski/runtime";

export const clusterSource: ClusterSource = {
  kind: Cluster,
  isMember: (object) => isInFleet(object as Cluster),
  define: (object, secret) => defineCluster(object as Cluster, secret),
};

/** Disabled ones, and those that are on their way out, take part in nothing. */
export function isInFleet({ spec, metadata }: Cluster): boolean {
  return spec.enabled && metadata.deletionTimestamp === undefined;
}

async function defineCluster(cluster: Cluster, secret: SecretData | undefined): Promise<ClusterDefinition> {
  const name = keyOf(cluster.metadata);
  const source = `Secret ${name}`;
  if (!secret) throw new Error(`${source} is missing: it has to hold the credentials for the cluster`);
  const connection = await kubeconfigFromData(kubeconfigOf(cluster, secret, source), source).connection();
  return definedBy(name, connection);
}

function kubeconfigOf({ spec: { config } }: Cluster, secret: SecretData, source: string): Buffer {
  const [authInfo, kubeconfig] = [secret["auth-info"], secret["kubeconfig"]];
  if (authInfo !== undefined && kubeconfig !== undefined)
    throw new Error(`${source} has both auth-info and kubeconfig: keep one of them`);
  if (kubeconfig !== undefined) return Buffer.from(kubeconfig, "base64");
  if (authInfo === undefined) throw new Error(`${source} has neither auth-info nor kubeconfig: add one of them`);
  if (!config) throw new Error("spec.config is missing: the Secret's auth-info needs a server to go with it");
  const authority = config["certificate-authority-data"];
  const context = { cluster: "target", user: "operator", namespace: "picchu" };
  const document: KubeconfigDocument = {
    "current-context": "target",
    clusters: [
      {
        name: "target",
        cluster: { server: config.server, ...(authority ? { "certificate-authority-data": authority } : {}) },
      },
    ],
    users: [{ name: "operator", user: userOf(authInfo, source) }],
    contexts: [{ name: "target", context }],
  };
  return Buffer.from(JSON.stringify(document));
}

type KubeconfigDocument = Readonly<Record<string, unknown>>;

/** The JSON of a kubeconfig user. Impersonation is spelt as Go's type is, not as kubectl's file is. */
function userOf(authInfo: string, source: string): Readonly<Record<string, unknown>> {
  const user = parsedUser(Buffer.from(authInfo, "base64").toString("utf8"), source);
  return Object.fromEntries(Object.entries(user).map(([field, value]) => [field.replace(/^act-as/, "as"), value]));
}

/** The parser's own message quotes the text, and the text holds a credential. */
function parsedUser(text: string, source: string): object {
  try {
    const user: unknown = JSON.parse(text);
    if (typeof user === "object" && user !== null && !Array.isArray(user)) return user;
  } catch {
    throw new Error(`auth-info of ${source} is not valid JSON: it has to be a kubeconfig's user`);
  }
  throw new Error(`auth-info of ${source} is not an object: it has to be a kubeconfig's user`);
}
