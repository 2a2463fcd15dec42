// Talking to the clusters of the fleet, with the credentials that the operator uses.
import { Cluster } from "@chaski/api/kinds";
import { systemRandom } from "@chaski/clock";
import { Secret } from "@chaski/kube";
import { clusterSource } from "@chaski/operator";
import { type Client, createClient } from "@chaski/runtime";
import type { Session } from "./cluster-options.ts";
import { explanationOf } from "./explain.ts";
import { unlessMissing } from "./unless-missing.ts";

/** What came of asking one cluster. */
export type Asked<T> = { readonly name: string } & ({ readonly answer: T } | { readonly problem: string });

/** Every enabled cluster, at the same time; one that does not answer keeps nobody else from it. */
export async function askClusters<T>(
  session: Session,
  ask: (client: Client, cluster: Cluster) => Promise<T>,
): Promise<readonly Asked<T>[]> {
  const { items } = await session.client.of(Cluster).list({ namespace: session.namespace });
  return Promise.all(
    items
      .filter(({ spec }) => spec.enabled)
      .map(async (cluster): Promise<Asked<T>> => {
        const { name } = cluster.metadata;
        try {
          const client = await clientFor(session, cluster);
          try {
            return { name, answer: await ask(client, cluster) };
          } finally {
            await client.close();
          }
        } catch (error) {
          return { name, problem: explanationOf(error).message };
        }
      }),
  );
}

async function clientFor({ client, clock, namespace }: Session, cluster: Cluster): Promise<Client> {
  const key = { namespace, name: cluster.metadata.name };
  const secret = await unlessMissing(client.of(Secret).get(key));
  const definition = await clusterSource.define(cluster, secret?.data);
  return createClient({ cluster: cluster.metadata.name, ...definition.open(), clock, random: systemRandom });
}
