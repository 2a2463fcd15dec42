import { setFlagsFromString } from "node:v8";
import { type Clock, RealClock } from "@chaski/clock";
import { defined, Secret } from "@chaski/kube";
import {
  type AdmissionHandler,
  FileRecording,
  fileCertificates,
  type Logger,
  pinoLogger,
  runOperator,
  secretCertificates,
  type WebhookSettings,
} from "@chaski/runtime";
import { type ComposeOptions, compose } from "./compose.ts";
import { VERSION } from "./version.ts";

export interface OperatorSettings extends ComposeOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Where the lease and the webhooks' certificate live. */
  readonly namespace: string;
  readonly isLeaderElected: boolean;
  readonly healthPort: number;
  /** Undefined: no webhooks. */
  readonly webhookPort?: number;
  /** tls.crt and tls.key that somebody else renews; without it the operator is its own authority. */
  readonly certificateFolder?: string;
  readonly recordFolder?: string;
}

/** Names that the install manifests use too. */
export const LEASE = "chaski";
export const WEBHOOK_SERVICE = "chaski-webhook";
export const WEBHOOK_CONFIGURATION = "chaski";

/** V8 lets a heap that grows fast become a multiple of what lives in it; most of what comes by a watch is soon garbage. */
const HEAP_GROWTH = "--heap-growing-percent=50";

/** Runs until a signal ends it; the exit code. */
export function runChaski(settings: OperatorSettings): Promise<number> {
  setFlagsFromString(HEAP_GROWTH);
  const { controllers, admission } = compose(settings);
  const { kubeconfig: path, context, namespace, recordFolder: directory } = settings;
  const log = pinoLogger();
  const clock = new RealClock();
  return runOperator({
    name: "chaski",
    version: VERSION,
    log,
    controllers,
    kubeconfig: defined({ path, context }),
    health: { port: settings.healthPort },
    ...defined({
      lease: settings.isLeaderElected ? { namespace, name: LEASE } : undefined,
      webhooks: webhooksOf(settings, admission, { clock, log }),
      recordings: directory === undefined ? undefined : [new FileRecording({ directory })],
    }),
  });
}

function webhooksOf(
  { webhookPort, certificateFolder, namespace }: OperatorSettings,
  handlers: readonly AdmissionHandler[],
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): WebhookSettings | undefined {
  if (webhookPort === undefined || handlers.length === 0) return undefined;
  const onError = (error: unknown): void =>
    log.error("the webhooks' certificate can't be had; the one in use stays", { error });
  return {
    port: webhookPort,
    handlers,
    targets: { validating: [WEBHOOK_CONFIGURATION] },
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
