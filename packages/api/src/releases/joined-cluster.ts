// A cluster as it is joined to a fleet: where it is, and a Secret of the same name that opens it.
import type { Secret } from "@chaski/kube";
import type { Cluster, ClusterSpec } from "./cluster.ts";
import { labels, RELEASES_GROUP } from "./keys.ts";

export interface Joining {
  readonly name: string;
  readonly namespace: string;
  readonly fleet: string;
  readonly server: string;
  /** PEM. */
  readonly authority: string | Buffer;
  /** As a kubeconfig has it. */
  readonly user: Readonly<Record<string, string>>;
  readonly spec?: Partial<ClusterSpec>;
}

const NO_INGRESS = { dnsName: "", defaultDomains: [] };

export function joinedCluster({ name, namespace, fleet, server, authority, user, spec }: Joining) {
  const metadata = { name, namespace };
  const secret: Secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata,
    type: "Opaque",
    data: { "auth-info": base64(JSON.stringify(user)) },
  };
  const cluster: Cluster = {
    apiVersion: `${RELEASES_GROUP}/v1alpha1`,
    kind: "Cluster",
    metadata: { ...metadata, labels: { [labels.fleet]: fleet } },
    spec: {
      enabled: true,
      config: { server, "certificate-authority-data": base64(authority) },
      ingresses: { public: NO_INGRESS, private: NO_INGRESS },
      ...spec,
    },
  };
  return { secret, cluster };
}

function base64(piece: string | Buffer): string {
  return Buffer.from(piece).toString("base64");
}
