// Watches: Revisions, and the ReleaseManagers of their targets.
// Writes:  those ReleaseManagers when they are missing, their fleet; the Revision's labels, failure mark and status.
// Never:   anything on another cluster.
import { ReleaseManager, Revision } from "@chaski/api";
import { isEqualJson, keyOf } from "@chaski/kube";
import {
  type AnyController,
  defineController,
  type Gathering,
  LOCAL_CLUSTER,
  type Urgency,
  type WakeContext,
  wake,
} from "@chaski/runtime";
import { decideRevision, type RevisionWorld } from "../engine/decide-revision.ts";
import { statesOf } from "../engine/decides-ahead.ts";
import { isJudged, type ReleaseSettings, subjectOf } from "./gather-release.ts";
import { revisionCache, revisionsOfApp } from "./revisions.ts";

export interface RevisionOptions {
  readonly concurrency: number;
  readonly syncPeriodMs: number;
}

/** It reports what its releases do, and they take several steps at a time. */
const COALESCE_MS = 200;

export const REVISION_CONTROLLER = "releases.revision";

export function revisionController(
  settings: ReleaseSettings,
  { concurrency, syncPeriodMs }: RevisionOptions,
): AnyController {
  return defineController({
    name: REVISION_CONTROLLER,
    kind: Revision,
    cache: { ...revisionCache, resyncMs: syncPeriodMs },
    owns: [{ kind: ReleaseManager, on: "delivery" }],
    wakeOn: [wake<ReleaseManager>({ kind: ReleaseManager, on: "delivery", keys: revisionsOfRelease, urgencyOf })],
    gather: gatherRevision(settings),
    decide: decideRevision,
    concurrency,
    coalesceMs: COALESCE_MS,
  });
}

function revisionsOfRelease({ metadata, spec }: ReleaseManager, { caches }: WakeContext): readonly string[] {
  return revisionsOfApp(caches, metadata.namespace ?? "", spec.app)
    .filter((revision) => revision.spec.targets?.some(({ name }) => name === spec.target))
    .map((revision) => keyOf(revision.metadata));
}

/** People and scripts wait for states and conditions; how many pods and percent there are in between can be told later. */
function urgencyOf(release: Readonly<ReleaseManager>, old: Readonly<ReleaseManager> | undefined): Urgency {
  return isEqualJson(waitedFor(old), waitedFor(release)) ? "later" : "soon";
}

function waitedFor(release: Readonly<ReleaseManager> | undefined): readonly unknown[] {
  const { revisions, conditions = [] } = release?.status ?? {};
  return [statesOf(revisions), conditions.map(({ type, status }) => [type, status])];
}

function gatherRevision(settings: ReleaseSettings): (gathering: Gathering<Revision>) => RevisionWorld {
  return ({ object: revision, nowMs, caches, owned }) => {
    const { judges, flags } = settings;
    const { namespace = "", uid } = revision.metadata;
    const { name: app, tag } = revision.spec.app;
    const names = new Set((revision.spec.targets ?? []).map((target) => `${app}-${target.name}`));
    const releaseManagers = caches
      .of(ReleaseManager)
      .inNamespace(namespace)
      .list()
      .filter(({ metadata, spec }) => spec.app === app || names.has(metadata.name));
    const isBeingJudged = releaseManagers.some(({ status }) =>
      status?.revisions?.some((entry) => entry.tag === tag && isJudged(entry, flags)),
    );
    return {
      nowMs,
      revision,
      siblings: revisionsOfApp(caches, namespace, app).filter(({ metadata }) => metadata.uid !== uid),
      releaseManagers,
      owned: owned(LOCAL_CLUSTER),
      evidence: isBeingJudged ? judges.map((judge) => judge.evidenceOf(subjectOf(app, revision))) : [],
      judgeUntilPercent: flags.judgeUntilPercent,
    };
  };
}
