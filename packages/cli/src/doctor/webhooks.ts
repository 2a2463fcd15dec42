// Whether the API server can reach the operator's admission webhooks, and trusts them.
import { MutatingWebhookConfiguration, Service, ValidatingWebhookConfiguration } from "@chaski/kube";
import { INSTALL_DEFAULTS, operatorManifests } from "@chaski/operator";
import type { Client } from "@chaski/runtime";
import { unlessMissing } from "../cluster/unless-missing.ts";
import { APPLY } from "./definitions.ts";
import { failed, type Finding, ok, warning } from "./finding.ts";

const KINDS = [ValidatingWebhookConfiguration, MutatingWebhookConfiguration] as const;

export async function webhookFindings(client: Client): Promise<readonly Finding[]> {
  const wanted = operatorManifests(INSTALL_DEFAULTS).flatMap((manifest) => {
    const { kind, metadata } = manifest as { readonly kind?: string; readonly metadata?: { readonly name?: string } };
    const found = KINDS.find((each) => each.kind === kind);
    return found ? [{ kind: found, name: metadata?.name ?? "" }] : [];
  });
  return (await Promise.all(wanted.map(({ kind, name }) => findingsOf(client, kind, name)))).flat();
}

async function findingsOf(client: Client, kind: (typeof KINDS)[number], name: string): Promise<readonly Finding[]> {
  const subject = `${kind === ValidatingWebhookConfiguration ? "validating" : "mutating"} webhooks`;
  const found = await unlessMissing(
    client.of<ValidatingWebhookConfiguration>(kind as typeof ValidatingWebhookConfiguration).get({ name }),
  );
  if (!found)
    return [
      warning(subject, "are not installed: bad manifests are found out by the operator only", `install them: ${APPLY}`),
    ];
  const hooks = found.webhooks ?? [];
  const untrusted = hooks.filter(({ clientConfig }) => !clientConfig.caBundle).map((hook) => hook.name);
  if (untrusted.length > 0)
    return [
      failed(
        subject,
        `${untrusted.join(", ")} has no caBundle`,
        "start the operator: it writes the bundle; with cert-manager, look at its injector",
      ),
    ];
  const services = hooks.flatMap(({ clientConfig: { service } }) => (service ? [service] : []));
  const absent = await absentServices(client, services);
  return absent.length > 0
    ? [failed(subject, `Service ${absent.join(", ")} does not exist`, `install it: ${APPLY}`)]
    : [ok(subject, "are installed, trusted and have their Service")];
}

async function absentServices(
  client: Client,
  services: readonly { readonly namespace: string; readonly name: string }[],
): Promise<readonly string[]> {
  const names = [...new Map(services.map((each) => [`${each.namespace}/${each.name}`, each])).entries()];
  const found = await Promise.all(
    names.map(([, { namespace, name }]) => unlessMissing(client.of(Service).get({ namespace, name }))),
  );
  return names.filter((_, index) => found[index] === undefined).map(([name]) => name);
}
