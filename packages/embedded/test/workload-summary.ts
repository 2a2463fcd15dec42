// What a client can see of a Deployment and all that belongs to it, without what differs from run to run.
import { type Deployment, isTrue, type KubeObject, type Pod } from "@chaski/kube";
import type { WorkloadStage } from "./workload-stage.ts";

export interface Summary {
  readonly deployment: unknown;
  readonly replicaSets: readonly unknown[];
  readonly readyPods: readonly string[];
  readonly events: readonly string[];
}

/** Of one cluster; remembers the names of ReplicaSets that are gone, since events still speak of them. */
export class Summaries {
  readonly #stage: WorkloadStage;
  readonly #images = new Map<string, string>();

  constructor(stage: WorkloadStage) {
    this.#stage = stage;
  }

  async next(): Promise<Summary> {
    for (const { metadata, spec } of await this.#stage.replicaSets())
      this.#images.set(metadata.name, imageOf(spec.template?.spec));
    return summarise(this.#stage, this.#images);
  }
}

async function summarise(stage: WorkloadStage, images: ReadonlyMap<string, string>): Promise<Summary> {
  const deployment = await stage.deployment();
  const replicaSets = await stage.replicaSets();
  const events = await stage.events();
  const summary = {
    deployment: { ...essenceOf(deployment), spec: deployment.spec, status: statusOf(deployment) },
    replicaSets: replicaSets.map(({ spec, status, ...rest }) => ({ ...essenceOf(rest), spec, status })),
    readyPods: (await stage.pods()).map(describePod),
    events: events
      .filter(({ involvedObject }) => involvedObject.kind !== "Pod")
      .map(({ involvedObject, type, reason, message, count, source }) =>
        [involvedObject.kind, type, reason, message, count, source?.component].join(" | "),
      ),
  };
  return sorted(JSON.parse(withoutChance(JSON.stringify(summary), images)) as Summary);
}

function describePod({ spec, status, metadata }: Pod): string {
  const owner = metadata.ownerReferences?.map(({ kind, controller }) => `${kind} ${controller}`).join();
  return [imageOf(spec), owner, status?.phase === "Failed" ? "failed" : isTrue(status?.conditions, "Ready")].join(" ");
}

function imageOf(spec: Pod["spec"] | undefined): string {
  return spec?.containers[0]?.image ?? "";
}

/** Whether the first progress is seen before the next is a matter of chance, so both count as the same. */
function statusOf({ status }: Deployment): unknown {
  const isUnderWay = (reason = ""): boolean => ["NewReplicaSetCreated", "ReplicaSetUpdated"].includes(reason);
  const conditions = status?.conditions?.map((condition) =>
    isUnderWay(condition.reason) ? { ...condition, reason: "<under way>", message: "<under way>" } : condition,
  );
  return { ...status, conditions };
}

/** Metadata and what the controller manager manages. */
function essenceOf({ metadata }: KubeObject): object {
  const { labels, annotations, generation, ownerReferences, managedFields } = metadata;
  return {
    name: metadata.name,
    labels,
    annotations,
    generation,
    ownerReferences: ownerReferences?.map(({ uid: _uid, ...reference }) => reference),
    managed: managedFields
      ?.filter(({ manager }) => manager === "kube-controller-manager")
      .map(({ time: _time, ...entry }) => entry),
  };
}

const UID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Names of ReplicaSets and pods by their image instead of a hash, and no times. */
function withoutChance(text: string, images: ReadonlyMap<string, string>): string {
  let plain = text.replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"<time>"').replaceAll(UID, "<uid>");
  for (const [name, image] of images) {
    const hash = name.slice(name.lastIndexOf("-") + 1);
    plain = plain.replaceAll(new RegExp(`${name}-[a-z0-9]{5}`, "g"), `<pod of ${image}>`);
    plain = plain.replaceAll(name, `<${image}>`).replaceAll(hash, `<hash of ${image}>`);
  }
  return plain;
}

function sorted(summary: Summary): Summary {
  const byText = (left: unknown, right: unknown): number => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);
  return {
    ...summary,
    replicaSets: summary.replicaSets.toSorted(byText),
    readyPods: summary.readyPods.toSorted(),
    events: summary.events.toSorted(),
  };
}
