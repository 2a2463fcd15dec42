// What the bench gives to a fleet: clusters, and revisions of apps.
import { Cluster, joinedCluster, releaseKeys, type Revision } from "@chaski/api";
import { CustomResourceDefinition, isTrue, Secret } from "@chaski/kube";
import type { Client } from "@chaski/runtime";

export const NAMESPACE = "default";
const [FLEET, TARGET] = ["production", "production"];

const INGRESSES = {
  public: { dnsName: "", gateway: "istio-system/public", defaultDomains: [] },
  private: { dnsName: "", gateway: "istio-system/private", defaultDomains: ["example.invalid"] },
};

/** How the operator gets to a cluster. */
type Access = Pick<Parameters<typeof joinedCluster>[0], "name" | "server" | "authority" | "user">;

export async function join(delivery: Client, access: Access): Promise<void> {
  const spec = { ingresses: INGRESSES };
  const { secret, cluster } = joinedCluster({ ...access, namespace: NAMESPACE, fleet: FLEET, spec });
  await delivery.of(Secret).create(secret);
  await delivery.of(Cluster).create(cluster);
}

export async function define(client: Client, definitions: readonly object[]): Promise<void> {
  for (const definition of definitions)
    await client.of(CustomResourceDefinition).create(definition as CustomResourceDefinition);
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
