import { ClusterRoleBinding } from "@chaski/kube";
import { NAMESPACE } from "@chaski/operator";
import { type Client, Forbidden } from "@chaski/runtime/connect";
import { unlessMissing } from "./unless-missing.ts";

export const ACCOUNT = "chaski";

/** The namespace that the operator is installed in: wherever its account is, it is bound for the whole cluster. */
export async function operatorHome(client: Client): Promise<string> {
  const binding = await unlessMissing(client.of(ClusterRoleBinding).get({ name: ACCOUNT })).catch((error: unknown) => {
    if (error instanceof Forbidden) return undefined;
    throw error;
  });
  const account = binding?.subjects?.find(({ kind, name }) => kind === "ServiceAccount" && name === ACCOUNT);
  return account?.namespace ?? NAMESPACE;
}
