// What the operator may do, derived from what its controllers declare: nothing is granted that no code uses.
import {
  CoreEvent,
  Deployment,
  type Kind,
  Lease,
  ReplicaSet,
  resourceName,
  Secret,
  ValidatingWebhookConfiguration,
} from "@chaski/kube";
import type { AnyController } from "@chaski/runtime";
import { WEBHOOK_CONFIGURATION } from "./operator.ts";

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const SCALED: readonly Kind[] = [Deployment, ReplicaSet];
const WATCHED = ["get", "list", "watch"];

/** For the whole cluster. */
export function clusterRules(controllers: readonly AnyController[]): readonly Rule[] {
  const grants = new Grants();
  for (const { kind, owns, wakeOn } of controllers) {
    grants.allow(kind, "", [...WATCHED, "patch"]);
    grants.allow(kind, "status", ["patch"]);
    // Owner references that block deletion need it where the API server enforces that.
    grants.allow(kind, "finalizers", ["update"]);
    for (const rule of wakeOn) grants.allow(rule.kind, "", WATCHED);
    for (const owned of owns) grantOwned(grants, owned.kind);
  }
  grants.allow(CoreEvent, "", ["create", "patch"]);
  const webhooks: Rule = {
    apiGroups: [ValidatingWebhookConfiguration.group],
    resources: [ValidatingWebhookConfiguration.plural],
    resourceNames: [WEBHOOK_CONFIGURATION],
    verbs: ["get", "patch"],
  };
  return [...grants.rules(), webhooks];
}

/** For the operator's own namespace: its lease, and the certificate of its webhooks. */
export function namespaceRules(): readonly Rule[] {
  const grants = new Grants();
  for (const kind of [Lease, Secret]) grants.allow(kind, "", ["create", "get", "update"]);
  return grants.rules();
}

function grantOwned(grants: Grants, kind: Kind): void {
  grants.allow(kind, "", [...WATCHED, "create", "patch", "delete"]);
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
