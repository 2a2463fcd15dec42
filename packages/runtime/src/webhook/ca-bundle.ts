import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@chaski/kube";
import type { Client } from "../client/client.ts";
import { NotFound } from "../client/errors.ts";

export interface CaBundleTargets {
  readonly mutating?: readonly string[];
  readonly validating?: readonly string[];
}

const CALL_DEADLINE_MS = 10_000;

/** Writes the authority into webhook configurations, where another one stands. */
export async function injectCaBundle(client: Client, targets: CaBundleTargets, caBundle: string): Promise<void> {
  const encoded = Buffer.from(caBundle).toString("base64");
  for (const name of targets.mutating ?? []) await injectInto(client, MutatingWebhookConfiguration, name, encoded);
  for (const name of targets.validating ?? []) await injectInto(client, ValidatingWebhookConfiguration, name, encoded);
}

async function injectInto(
  client: Client,
  kind: typeof MutatingWebhookConfiguration | typeof ValidatingWebhookConfiguration,
  name: string,
  caBundle: string,
): Promise<void> {
  const configurations = client.of<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(kind);
  const found = await configurations.get({ name }, { deadlineMs: CALL_DEADLINE_MS }).catch(undefinedIfMissing);
  const changes = (found?.webhooks ?? []).flatMap(({ clientConfig }, index) =>
    clientConfig.caBundle === caBundle
      ? []
      : [{ op: "add", path: `/webhooks/${index}/clientConfig/caBundle`, value: caBundle }],
  );
  if (!found || changes.length === 0) return;
  const isUnchanged = { op: "test", path: "/metadata/resourceVersion", value: found.metadata.resourceVersion };
  await configurations.patch({ name }, "json", [isUnchanged, ...changes], { deadlineMs: CALL_DEADLINE_MS });
}

function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}
