// What the controllers of HPA, KEDA and WPA write, as far as a release meets it: neither KEDA nor WPA runs here, and the
// controller manager looks at its HPAs once in 15 s.
import { HorizontalPodAutoscaler, ReplicaSet } from "@chaski/kube";
import { type Client, Conflict, type Scale } from "@chaski/runtime";
import { ScaledObject, type SpecObject, WorkerPodAutoScaler } from "../../src/objects/kinds.ts";
import { type FleetStage, found } from "./fleet-stage.ts";

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** What the tag's autoscaler on that cluster may do, whichever it is; undefined where there is none. */
export async function boundsOf(client: Client, namespace: string, tag: string): Promise<Bounds | undefined> {
  const key = { namespace, name: tag };
  const autoscaler = await found(client.of(HorizontalPodAutoscaler).get(key));
  if (autoscaler) return { min: autoscaler.spec?.minReplicas ?? 1, max: autoscaler.spec?.maxReplicas ?? 0 };
  const scaled = await found(client.of(ScaledObject).get(key));
  if (scaled) return numbers(scaled, ["minReplicaCount", "maxReplicaCount"]);
  const worker = await found(client.of(WorkerPodAutoScaler).get(key));
  return worker && numbers(worker, ["minReplicas", "maxReplicas"]);
}

function numbers({ spec = {} }: SpecObject, [min, max]: readonly [string, string]): Bounds {
  return { min: Number(spec[min]), max: Number(spec[max]) };
}

/** One round of the tag's autoscaler on every cluster: KEDA has an HPA, and each keeps the pods within its bounds. */
export async function playAutoscalers({ targets, place }: FleetStage, tag: string): Promise<void> {
  for (const { client } of targets) {
    const bounds = await boundsOf(client, place, tag);
    if (!bounds) continue;
    await playKeda(client, place, tag);
    const scale = await client.of(ReplicaSet).getScale({ namespace: place, name: tag });
    const { replicas = 0 } = scale.spec ?? {};
    const wanted = Math.min(Math.max(replicas, bounds.min), bounds.max);
    if (wanted !== replicas) await rescale(client, { ...scale, spec: { replicas: wanted } });
  }
}

/** Whoever changed it meanwhile has the say until the next round, as with a real one. */
async function rescale(client: Client, scale: Scale): Promise<void> {
  try {
    await client.of(ReplicaSet).updateScale(scale, { fieldManager: "played-autoscaler" });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}

/** An HPA with the ScaledObject's labels and annotations, ours too: nobody may take it for one of ours. */
async function playKeda(client: Client, namespace: string, tag: string): Promise<void> {
  const scaled = await found(client.of(ScaledObject).get({ namespace, name: tag }));
  if (!scaled) return;
  const { labels = {}, annotations = {}, uid = "" } = scaled.metadata;
  const { min, max } = numbers(scaled, ["minReplicaCount", "maxReplicaCount"]);
  const owner = { apiVersion: scaled.apiVersion, kind: scaled.kind, name: tag, uid, controller: true };
  await client.of(HorizontalPodAutoscaler).apply(
    {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: `keda-hpa-${tag}`, namespace, labels, annotations, ownerReferences: [owner] },
      spec: {
        minReplicas: min,
        maxReplicas: max,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "ReplicaSet", name: tag },
      },
    },
    { fieldManager: "keda", force: true },
  );
}
