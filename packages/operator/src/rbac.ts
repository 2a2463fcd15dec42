// What the operator may do, derived from what its controllers declare: nothing is granted that no code uses.
import {
  CoreEvent,
  CustomResourceDefinition,
  Deployment,
  type Kind,
  Lease,
  MutatingWebhookConfiguration,
  ReplicaSet,
  resourceName,
  Secret,
  ValidatingWebhookConfiguration,
} from "@chaski/kube";
import { externalMetricsRules as EXTERNAL_METRICS } from "@chaski/releases";
import { type AnyController, isAt, LOCAL_CLUSTER, type OwnedKind } from "@chaski/runtime";
import type { Composition } from "./compose.ts";
import { RELEASE_WEBHOOKS, WEBHOOK_CONFIGURATION } from "./webhooks.ts";

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const SCALED: readonly Kind[] = [Deployment, ReplicaSet];
const WATCHED = ["get", "list", "watch"];

/** For the whole delivery cluster. */
export function clusterRules({ controllers, clusters }: Composition): readonly Rule[] {
  const grants = new Grants();
  for (const { kind } of controllers) {
    grants.allow(kind, "", [...WATCHED, "patch"]);
    grants.allow(kind, "status", ["patch"]);
    // Owner references that block deletion need it where the API server enforces that.
    grants.allow(kind, "finalizers", ["update"]);
  }
  grantUses(grants, controllers, LOCAL_CLUSTER);
  grants.allow(CoreEvent, "", ["create", "patch"]);
  // The credentials of each cluster stand in the Secret of its name.
  if (clusters) for (const kind of [clusters.kind, Secret]) grants.allow(kind, "", WATCHED);
  return [
    ...grants.rules(),
    ...[MutatingWebhookConfiguration, ValidatingWebhookConfiguration].map(({ group, plural }) => ({
      apiGroups: [group],
      resources: [plural],
      resourceNames: [WEBHOOK_CONFIGURATION, RELEASE_WEBHOOKS],
      verbs: ["get", "patch"],
    })),
  ];
}

/** For a target cluster, as whoever the Cluster's Secret says we are there. */
export function targetRules({ controllers, listed = [] }: Composition): readonly Rule[] {
  const grants = new Grants();
  grantUses(grants, controllers, "target");
  for (const kind of listed) grants.allow(kind, "", ["list"]);
  // A Role may grant only what its maker may do.
  return [...grants.rules(), ...EXTERNAL_METRICS];
}

/** For the operator's own namespace: its lease, and the certificate of its webhooks. */
export function namespaceRules(): readonly Rule[] {
  const grants = new Grants();
  for (const kind of [Lease, Secret]) grants.allow(kind, "", ["create", "get", "update"]);
  return grants.rules();
}

function grantUses(grants: Grants, controllers: readonly AnyController[], cluster: string): void {
  // A kind that a cluster does not serve yet is watched as soon as its definition appears.
  grants.allow(CustomResourceDefinition, "", WATCHED);
  for (const { owns, wakeOn } of controllers) {
    for (const { kind, on } of wakeOn) if (isAt(on, cluster)) grants.allow(kind, "", WATCHED);
    for (const owned of owns) if (isAt(owned.on, cluster)) grantOwned(grants, owned);
  }
}

function grantOwned(grants: Grants, { kind, isNeverRemoved = false }: OwnedKind): void {
  grants.allow(kind, "", [...WATCHED, "create", "patch", ...(isNeverRemoved ? [] : ["delete"])]);
  if (SCALED.some((scaled) => resourceName(scaled) === resourceName(kind)))
    grants.allow(kind, "scale", ["get", "patch"]);
}

/** Verbs per group and resource, told once each. */
class Grants {
  readonly #verbs = new Map<
    string,
    { readonly group: string; readonly resource: string; readonly verbs: Set<string> }
  >();

  allow({ group, plural }: Kind, subresource: string, verbs: readonly string[]): void {
    const resource = subresource === "" ? plural : `${plural}/${subresource}`;
    const key = `${group}/${resource}`;
    const grant = this.#verbs.get(key) ?? { group, resource, verbs: new Set<string>() };
    for (const verb of verbs) grant.verbs.add(verb);
    this.#verbs.set(key, grant);
  }

  rules(): readonly Rule[] {
    const sorted = [...this.#verbs.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([, { group, resource, verbs }]) => ({
      apiGroups: [group],
      resources: [resource],
      verbs: [...verbs].toSorted(),
    }));
  }
}
