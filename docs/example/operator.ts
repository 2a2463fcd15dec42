// A whole operator: for every Site there is a ConfigMap with its page. `docs/writing-an-operator.md` walks through it.
import {
  ConfigMap,
  type Condition,
  defineKind,
  formatTimestamp,
  type KubeObject,
  refTo,
  setConditions,
} from "@chaski/kube";
import { apply, decision, defineController, LOCAL_CLUSTER, type OperatorOptions } from "@chaski/runtime";

export interface Site extends KubeObject {
  readonly spec: { readonly title: string };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export const Site = defineKind<Site>({
  group: "example.chaski.dev",
  version: "v1",
  kind: "Site",
  plural: "sites",
  isNamespaced: true,
});

/** All that a decision may look at. */
interface SiteWorld {
  readonly nowMs: number;
  readonly site: Readonly<Site>;
  readonly page: Readonly<KubeObject> | undefined;
}

export const siteController = defineController({
  name: "example.site",
  kind: Site,
  wakeOn: [],
  owns: [{ kind: ConfigMap, on: "delivery" }],
  gather: ({ object, nowMs, owned }): SiteWorld => ({ nowMs, site: object, page: owned(LOCAL_CLUSTER)[0] }),
  decide: decideSite,
});

/** Pure: the same world gives the same decision, which is why it can be tested, recorded and replayed. */
export function decideSite({ nowMs, site, page }: SiteWorld) {
  const isPublished = page !== undefined;
  const ready = isPublished
    ? ({ status: "True", reason: "Published", message: `ConfigMap ${page.metadata.name} holds the page` } as const)
    : ({ status: "False", reason: "Publishing", message: "the page is being written" } as const);
  const conditions = setConditions(site.status?.conditions, [{ type: "Ready", ...ready }], formatTimestamp(nowMs));
  const map = pageOf(site);
  return decision({
    status: { conditions },
    desired: [{ cluster: LOCAL_CLUSTER, entries: [apply(refTo(ConfigMap, map), map)] }],
    events: isPublished
      ? []
      : [{ type: "Normal", reason: "Publishing", message: `writing ConfigMap ${map.metadata.name}` }],
  });
}

function pageOf({ metadata: { name, namespace = "default", uid = "" }, spec }: Site): ConfigMap {
  const owner = { apiVersion: "example.chaski.dev/v1", kind: "Site", name, uid, controller: true };
  const metadata = { name: `${name}-page`, namespace, ownerReferences: [owner] };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { "index.html": `<h1>${spec.title}</h1>` } };
}

/** For `runOperator`, with a port for metrics and probes. By the lease, one of several replicas acts. */
export const operator: OperatorOptions = {
  name: "site-operator",
  controllers: [siteController],
  lease: { namespace: "default", name: "site-operator" },
};
