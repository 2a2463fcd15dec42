import type { Client } from "../client/client.ts";
import { injectCaBundle } from "../webhook/ca-bundle.ts";
import type { ServingCertificate } from "../webhook/certificates.ts";
import { startWebhookServer, type WebhookServer } from "../webhook/webhook-server.ts";
import type { RuntimeOptions, WebhookSettings } from "./runtime.ts";

/** The webhook server with its certificates; every replica serves it. */
export async function startWebhooks(
  { clock, log }: RuntimeOptions,
  { certificates: certificatesFor, targets = {}, ...settings }: WebhookSettings,
  client: Client,
): Promise<WebhookServer> {
  const certificates = certificatesFor(client);
  const inject = async ({ caBundle }: ServingCertificate): Promise<void> => {
    if (caBundle !== undefined) await injectCaBundle(client, targets, caBundle);
  };
  const server = await startWebhookServer({ ...settings, clock, log, certificates });
  const onError = (error: unknown): void => log.error("the webhooks' authority could not be written", { error });
  await inject(await certificates.current()).catch(onError);
  certificates.onChange((certificate) => void inject(certificate).catch(onError));
  return {
    port: server.port,
    close: () => {
      certificates.stop();
      return server.close();
    },
  };
}
