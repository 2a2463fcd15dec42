import { ConfigMap, refTo, ServiceAccount } from "@chaski/kube";
import { apply, decision, defineController, LOCAL_CLUSTER } from "@chaski/runtime";

interface AccountWorld {
  readonly map: Readonly<ConfigMap>;
  readonly hasAccount: boolean;
}

/**
 * Watches: ConfigMaps with the label `sea.dev/account`, and the ServiceAccounts that they own.
 * Writes:  a ServiceAccount of the same name for each.
 */
export const accountController = defineController({
  name: "sea.account",
  kind: ConfigMap,
  cache: { labelSelector: "sea.dev/account" },
  wakeOn: [],
  owns: [{ kind: ServiceAccount, on: "delivery" }],
  gather: ({ object, owned }): AccountWorld => ({ map: object, hasAccount: owned(LOCAL_CLUSTER).length > 0 }),
  decide: ({ map, hasAccount }) => {
    const { name, namespace = "default" } = map.metadata;
    const account: ServiceAccount = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } };
    return decision({
      desired: [{ cluster: LOCAL_CLUSTER, entries: [apply(refTo(ServiceAccount, account), account)] }],
      events: hasAccount ? [] : [{ type: "Normal", reason: "Opened", message: `account ${name} is being opened` }],
    });
  },
});
