import { Cluster, ReleaseManager } from "@chaski/api";
import { type Kind, type KubeObject, stableJson } from "@chaski/kube";
import type { Client } from "@chaski/runtime";
import { coreKinds, optionalKinds } from "../../src/objects/kinds.ts";
import type { FleetStage } from "./fleet-stage.ts";

/** An object on a target cluster. */
export interface Placed {
  readonly kind: Kind;
  readonly client: Client;
  readonly object: KubeObject;
  readonly cluster: string;
}

/** What Kubernetes itself puts into a namespace. */
export const BUILT_IN: ReadonlySet<string> = new Set(["ConfigMap kube-root-ca.crt", "ServiceAccount default"]);

/** The app's namespace and all that is in it, on every cluster. */
export async function everythingOf({ targets, place }: FleetStage): Promise<readonly Placed[]> {
  const all = await Promise.all(
    targets.flatMap(({ name: cluster, client }) =>
      [...coreKinds, ...optionalKinds].map(async (kind) => {
        const { items } = await client.of<KubeObject>(kind).list(kind.isNamespaced ? { namespace: place } : {});
        return items.map((object) => ({ kind, client, object, cluster }));
      }),
    ),
  );
  return all
    .flat()
    .filter(({ kind, object }) => kind.isNamespaced || object.metadata.name === place)
    .filter(({ kind, object }) => !BUILT_IN.has(`${kind.kind} ${object.metadata.name}`));
}

/** Everything that is there because of the release, without what no two runs have in common: `cluster Kind name` to content. */
export async function contentsOf(stage: FleetStage): Promise<Readonly<Record<string, string>>> {
  const { delivery, namespace } = stage;
  const own = [
    ...(await stage.revisions()),
    ...(await delivery.of(ReleaseManager).list({ namespace })).items,
    ...(await delivery.of(Cluster).list({ namespace })).items,
  ].map((object) => [`delivery ${object.kind} ${object.metadata.name}`, contentOf(object)] as const);
  const placed = (await everythingOf(stage)).map(
    ({ kind, cluster, object }) =>
      [`${cluster} ${kind.kind} ${object.metadata.name}`, contentOf({ ...object, status: undefined })] as const,
  );
  return Object.fromEntries([...own, ...placed].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const VARYING = new Set([
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "managedFields",
  "clusterIP",
  "clusterIPs",
  "kubernetes.io/service-account.uid",
  // How long things took.
  "metrics",
]);
const A_TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

function contentOf(object: object): string {
  const kept = JSON.stringify(object, (name, value: unknown) => (VARYING.has(name) ? undefined : value));
  return stableJson(JSON.parse(kept)).replaceAll(A_TIME, "some time");
}
