// Templates that a Canary's Deployments had, kept as ControllerRevisions so that a rollback can go back to them.
import type { Canary } from "@chaski/api";
import {
  type ControllerRevision,
  ControllerRevision as ControllerRevisionKind,
  contentHash,
  type Deployment,
  type PodTemplateSpec,
  refTo,
} from "@chaski/kube";
import { apply, type Entry, keep, remove } from "@chaski/runtime/decision";
import { ownerReference } from "./deployment.ts";

const HISTORY_MAX = 10;

/** What a ControllerRevision of ours holds. */
export interface RecordedTemplate {
  readonly deployment: string;
  readonly template: PodTemplateSpec;
}

/** Newest first. */
export function recordedTemplates(history: readonly ControllerRevision[]): readonly RecordedTemplate[] {
  return newestFirst(history).map(({ data }) => data as unknown as RecordedTemplate);
}

/** Records the Deployment's present template if it is not, and lets go of the oldest beyond ten. */
export function recordTemplate(
  canary: Canary,
  history: readonly ControllerRevision[],
  deployment?: Deployment,
): Entry[] {
  const known = newestFirst(history);
  const recording = deployment && buildRevision(canary, known, deployment);
  const others = known.filter(({ metadata }) => metadata.name !== recording?.metadata.name);
  const isRecorded = others.length < known.length;
  const room = HISTORY_MAX - (recording ? 1 : 0);
  return [
    ...(recording ? [recordingEntry(recording, isRecorded)] : []),
    ...others.slice(0, room).map((revision) => keep(refTo(ControllerRevisionKind, revision))),
    ...others
      .slice(room)
      .map((revision) => remove(refTo(ControllerRevisionKind, revision), "ten newer templates are recorded")),
  ];
}

/** What is recorded stays as it is: its name stands for its content. */
function recordingEntry(recording: ControllerRevision, isRecorded: boolean): Entry {
  const ref = refTo(ControllerRevisionKind, recording);
  return isRecorded ? keep(ref) : apply(ref, recording);
}

function buildRevision(
  canary: Canary,
  known: readonly ControllerRevision[],
  deployment: Deployment,
): ControllerRevision {
  const recorded: RecordedTemplate = {
    deployment: deployment.metadata.name,
    template: deployment.spec.template,
  };
  const name = `${canary.metadata.name}-${contentHash(recorded).slice(0, 10)}`;
  const { namespace } = canary.metadata;
  return {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), ownerReferences: [ownerReference(canary)] },
    data: recorded as unknown as Readonly<Record<string, unknown>>,
    revision: (known[0]?.revision ?? 0) + 1,
  };
}

function newestFirst(history: readonly ControllerRevision[]): readonly ControllerRevision[] {
  return history.toSorted((a, b) => b.revision - a.revision);
}
