// The ReplicaSet of a Deployment's current template: created, and kept in line with what the Deployment says.
import { Deployment, ReplicaSet } from "@chaski/kube";
import { ApiError } from "../../errors/api-error.ts";
import type { Access } from "../access.ts";
import { controllerOf, referenceTo } from "../ownership.ts";
import type { Recorder } from "../recorder.ts";
import { hasDeadline, progress, progressOf, withCondition } from "./deployment-status.ts";
import { annotationsOfNewer, nextRevision, REVISION, sameAnnotations, scaleAnnotations } from "./revisions.ts";
import { sizeOfNewer } from "./rolling.ts";
import type { Rollout } from "./rollout.ts";
import { isSameTemplate, TEMPLATE_HASH, templateHash } from "./template-hash.ts";

const LONGEST_NAME = 253;

export class NewReplicaSets {
  readonly #access: Access;
  readonly #recorder: Recorder;

  constructor(access: Access, recorder: Recorder) {
    this.#access = access;
    this.#recorder = recorder;
  }

  /** Brings revision and annotations in line; whether something was written. */
  async keepCurrent({ deployment, newer, olders }: Rollout): Promise<boolean> {
    if (!newer) return false;
    const before = newer.metadata.annotations ?? {};
    const annotations = annotationsOfNewer(deployment, before, nextRevision(olders));
    const { minReadySeconds } = deployment.spec;
    if (!sameAnnotations(before, annotations) || (newer.spec.minReadySeconds ?? 0) !== (minReadySeconds ?? 0)) {
      const spec = { ...newer.spec, ...(minReadySeconds !== undefined && { minReadySeconds }) };
      await this.#access.update(ReplicaSet, { ...newer, metadata: { ...newer.metadata, annotations }, spec });
      return true;
    }
    const found = progress("True", "FoundNewReplicaSet", `Found new replica set "${newer.metadata.name}"`);
    return this.#note(deployment, annotations[REVISION] ?? "", progressOf(deployment) ? undefined : found);
  }

  async create(rollout: Rollout): Promise<void> {
    const { deployment } = rollout;
    const hash = templateHash(deployment.spec.template, deployment.status?.collisionCount);
    const revision = nextRevision(rollout.olders);
    try {
      const created = await this.#access.create(ReplicaSet, this.#build(rollout, hash, revision));
      await this.#tellOf(deployment, created);
      const message = `Created new replica set "${created.metadata.name}"`;
      await this.#note(deployment, `${revision}`, progress("True", "NewReplicaSetCreated", message));
    } catch (error) {
      if (error instanceof ApiError && error.status.reason === "AlreadyExists")
        await this.#resolveCollision(rollout, hash);
      else await this.#tellFailure(deployment, nameOf(deployment, hash), error as Error);
      throw error;
    }
  }

  #build(rollout: Rollout, hash: string, revision: number): Record<string, unknown> {
    const { deployment } = rollout;
    const { template, selector, minReadySeconds } = deployment.spec;
    const labels = { ...template.metadata?.labels, [TEMPLATE_HASH]: hash };
    return {
      metadata: {
        namespace: deployment.metadata.namespace,
        name: nameOf(deployment, hash),
        labels,
        annotations: { ...annotationsOfNewer(deployment, {}, revision), ...scaleAnnotations(deployment) },
        ownerReferences: [referenceTo(Deployment, deployment)],
      },
      spec: {
        replicas: sizeOfNewer(rollout, 0),
        minReadySeconds,
        selector: { ...selector, matchLabels: { ...selector.matchLabels, [TEMPLATE_HASH]: hash } },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    };
  }

  /** Another object has the name: unless it is the one that is wanted, the next attempt gets another. */
  async #resolveCollision({ deployment }: Rollout, hash: string): Promise<void> {
    const existing = this.#access.get(ReplicaSet, { ...deployment.metadata, name: nameOf(deployment, hash) });
    const isOwn = existing && controllerOf(existing)?.uid === deployment.metadata.uid;
    if (isOwn && isSameTemplate(existing.spec.template, deployment.spec.template)) return;
    const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
    const status = { ...deployment.status, collisionCount };
    await this.#access.update(Deployment, { ...deployment, status }, "status");
  }

  async #tellOf(deployment: Deployment, { metadata, spec }: ReplicaSet): Promise<void> {
    if (!spec.replicas) return;
    const message = `Scaled up replica set ${metadata.name} from 0 to ${spec.replicas}`;
    await this.#recorder.record(Deployment, deployment, { type: "Normal", reason: "ScalingReplicaSet", message });
  }

  async #tellFailure(deployment: Deployment, name: string, error: Error): Promise<void> {
    const reason = "ReplicaSetCreateError";
    const message = `Failed to create new replica set "${name}": ${error.message}`;
    const { now } = this.#access;
    const status = withCondition(deployment.status ?? {}, progress("False", reason, message), now);
    if (hasDeadline(deployment)) await this.#access.update(Deployment, { ...deployment, status }, "status");
    await this.#recorder.record(Deployment, deployment, { type: "Warning", reason, message });
  }

  /** The revision in the Deployment's annotations and, where it has a deadline, the progress; whether that is new. */
  async #note(
    deployment: Deployment,
    revision: string,
    claim: ReturnType<typeof progress> | undefined,
  ): Promise<boolean> {
    const hasClaim = claim !== undefined && hasDeadline(deployment);
    const { annotations = {} } = deployment.metadata;
    if (!hasClaim && annotations[REVISION] === revision) return false;
    const metadata = { ...deployment.metadata, annotations: { ...annotations, [REVISION]: revision } };
    const { status = {} } = deployment;
    const next = hasClaim ? withCondition(status, claim, this.#access.now) : status;
    await this.#access.update(Deployment, { ...deployment, metadata, status: next }, "status");
    return true;
  }
}

function nameOf({ metadata }: Deployment, hash: string): string {
  return `${metadata.name.slice(0, LONGEST_NAME - 1 - hash.length)}-${hash}`;
}
