import type { Clock } from "@chaski/clock";
import { Secret } from "@chaski/kube";
import {
  type AdmissionHandler,
  fileCertificates,
  type Logger,
  secretCertificates,
  type WebhookSettings,
} from "@chaski/runtime";

/** Names that the install manifests use too. */
export const WEBHOOK_SERVICE = "chaski-webhook";
export const WEBHOOK_CONFIGURATION = "chaski";
export const RELEASE_WEBHOOKS = "chaski-releases";

export interface WebhookOptions {
  readonly handlers: readonly AdmissionHandler[];
  readonly namespace: string;
  /** Undefined: no webhooks. */
  readonly port?: number | undefined;
  /** tls.crt and tls.key that somebody else renews; without it the operator is its own authority. */
  readonly certificateFolder?: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

export function webhooksOf(options: WebhookOptions): WebhookSettings | undefined {
  const { handlers, port, certificateFolder, namespace, clock, log } = options;
  if (port === undefined || handlers.length === 0) return undefined;
  const onError = (error: unknown): void =>
    log.error("the webhooks' certificate can't be had; the one in use stays", { error });
  return {
    port,
    handlers,
    targets: { mutating: [RELEASE_WEBHOOKS], validating: [WEBHOOK_CONFIGURATION, RELEASE_WEBHOOKS] },
    certificates: (client) =>
      certificateFolder === undefined
        ? secretCertificates({
            secrets: client.of(Secret),
            key: { namespace, name: `${WEBHOOK_SERVICE}-certificate` },
            clock,
            dnsNames: [`${WEBHOOK_SERVICE}.${namespace}.svc`],
            onError,
          })
        : fileCertificates(certificateFolder, { clock, onError }),
  };
}
