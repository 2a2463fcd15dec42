// What the bench gives to a fleet: clusters, and revisions of apps.
import { Cluster, releaseKeys, type Revision } from "@chaski/api";
import { isTrue, Secret } from "@chaski/kube";
import type { Client } from "@chaski/runtime";

export const NAMESPACE = "default";
const [FLEET, TARGET] = ["production", "production"];

/** How the operator gets to a cluster. */
export interface Access {
  readonly name: string;
  readonly server: string;
  /** PEM. */
  readonly authority: string;
  /** A kubeconfig's user. */
  readonly user: Readonly<Record<string, string>>;
}

export async function join(delivery: Client, { name, server, authority, user }: Access): Promise<void> {
  const metadata = { name, namespace: NAMESPACE };
  const data = { "auth-info": base64(JSON.stringify(user)) };
  await delivery.of(Secret).create({ apiVersion: "v1", kind: "Secret", metadata, data });
  await delivery.of(Cluster).create({
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "Cluster",
    metadata: { ...metadata, labels: { [releaseKeys.labels.fleet]: FLEET } },
    spec: {
      enabled: true,
      config: { server, "certificate-authority-data": base64(authority) },
      ingresses: {
        public: { dnsName: "", gateway: "istio-system/public", defaultDomains: [] },
        private: { dnsName: "", gateway: "istio-system/private", defaultDomains: ["example.invalid"] },
      },
    },
  });
}

export interface Release {
  readonly app: string;
  /** From 1; the tag is `r1`. */
  readonly round: number;
  /** Two pods on each. */
  readonly clusters: number;
  readonly ramp: { readonly start: number; readonly factor: number; readonly delay: string };
  /** No more traffic than that. */
  readonly maxPercent?: number;
  /** Its pods follow an autoscaler, which looks every 15 s; else they are as many as the share of traffic needs. */
  readonly hasAutoscaler?: boolean;
}

export function tagOf(round: number): string {
  return `r${round}`;
}

/** An app as most are: a port, pods on every cluster, a ramp. Each revision is committed later than the one before. */
export function revisionOf({ app, round, clusters, ramp, maxPercent = 100, hasAutoscaler }: Release): Revision {
  const tag = tagOf(round);
  const committed = new Date(Date.UTC(2026, 0, 1, 0, round)).toISOString();
  const pods = 2 * clusters;
  return {
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "Revision",
    metadata: {
      name: `${app}-${tag}`,
      namespace: NAMESPACE,
      annotations: { [releaseKeys.annotations.committerTimestamp]: committed },
    },
    spec: {
      app: { name: app, ref: "main", tag, image: `registry.invalid/${app}:${tag}` },
      failed: false,
      targets: [
        {
          name: TARGET,
          fleet: FLEET,
          scale: {
            min: pods,
            default: pods,
            max: 2 * pods,
            ...(hasAutoscaler === true && { targetCPUUtilizationPercentage: 70 }),
          },
          ports: [{ name: "http", mode: "private", port: 80, containerPort: 8080, ingresses: ["private"] }],
          defaultIngressPorts: { private: "http" },
          release: {
            eligible: true,
            max: maxPercent,
            scalingStrategy: "geometric",
            geometricScaling: ramp,
            schedule: "always",
          },
        },
      ],
    },
  };
}

/** Its namespace on every cluster. */
export function placeOf(app: string): string {
  return `${app}-${TARGET}`;
}

export function isReleased({ status }: Readonly<Revision>): boolean {
  return isTrue(status?.conditions, "Released");
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
