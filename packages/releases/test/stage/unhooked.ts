// The admission webhooks as they are installed, with nobody behind them.
import { Revision } from "@chaski/api";
import { type KubeObject, MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@chaski/kube";
import { releaseWebhooks } from "../../../operator/src/release-webhooks.ts";
import type { FleetStage } from "./fleet-stage.ts";

const KINDS = [MutatingWebhookConfiguration, ValidatingWebhookConfiguration];
/** What a webhook would have refused, and so does the target. */
const NONSENSE = { podDisruptionBudget: { minAvailable: 1, maxUnavailable: 1 } };

/** From the middle of a ramp: it ends, is rolled back, and what is invalid is told once it can be written. */
export async function goOnWithoutWebhooks(stage: FleetStage): Promise<void> {
  const hooks = unansweredIn(stage.namespace);
  try {
    for (const hook of hooks) await hook.write(stage, "Fail");
    await stage.until("nobody may create", async () => !(await mayCreate(stage)));
    await stage.untilReleased("v2");
    await stage.fail("v2");
    await stage.until("v1 has it all again", async () => (await stage.weights()) === "v1 100");
    for (const hook of hooks) await hook.write(stage, "Ignore");
    await stage.until("anybody may create", () => mayCreate(stage));
    await tellNonsense(stage);
  } finally {
    for (const hook of hooks) await hook.remove(stage);
  }
}

async function tellNonsense(stage: FleetStage): Promise<void> {
  await stage.release("v3", NONSENSE);
  const isTold = async (): Promise<boolean> =>
    /Applied .*PodDisruptionBudget .*cannot be both set/.test((await stage.closedGates()).join("\n"));
  await stage.until("it is told what is wrong", isTold);
  await stage.untilEvent(/ApplyFailed: PodDisruptionBudget /);
  const [target] = (await stage.revision("v3"))?.spec.targets ?? [];
  await stage.edit("v3", { spec: { targets: [{ ...target, podDisruptionBudget: { minAvailable: 1 } }] } });
  await stage.until("it is mended", async () => !(await isTold()));
}

async function mayCreate(stage: FleetStage): Promise<boolean> {
  const revision = await stage.revision("v1");
  if (!revision) throw new Error("there is no v1");
  const copy = { ...revision, metadata: { name: "probe", namespace: stage.namespace } };
  return stage.delivery
    .of(Revision)
    .create(copy, { dryRun: true })
    .then(
      () => true,
      () => false,
    );
}

interface Hook {
  write(stage: FleetStage, failurePolicy: "Fail" | "Ignore"): Promise<unknown>;
  remove(stage: FleetStage): Promise<unknown>;
}

/** Asked in this namespace alone: the fleet is shared. */
function unansweredIn(namespace: string): readonly Hook[] {
  const common = {
    clientConfig: { url: "https://127.0.0.1:1/" },
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
  };
  return releaseWebhooks({ namespace }).map((manifest) => {
    const { webhooks, ...rest } = manifest as unknown as KubeObject & { readonly webhooks: readonly object[] };
    const kind = KINDS.find((each) => each.kind === rest.kind) as typeof ValidatingWebhookConfiguration;
    const metadata = { name: `unhooked-${namespace}` };
    return {
      write: ({ delivery }, failurePolicy) => {
        const changed = webhooks.map((webhook) => ({ ...webhook, ...common, failurePolicy }));
        const object = { ...rest, metadata, webhooks: changed } as unknown as ValidatingWebhookConfiguration;
        return delivery.of(kind).apply(object, { fieldManager: "person", force: true });
      },
      remove: ({ delivery }) =>
        delivery
          .of(kind)
          .delete(metadata)
          .catch(() => undefined),
    };
  });
}
