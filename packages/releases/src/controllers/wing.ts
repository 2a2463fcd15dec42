// The controllers of the wing.
import type { AnyController } from "@chaski/runtime";
import { clusterController } from "./cluster.ts";
import type { ReleaseSettings } from "./gather-release.ts";
import { releaseManagerController } from "./release-manager.ts";
import { revisionController } from "./revision.ts";

export interface ReleasesOptions extends ReleaseSettings {
  readonly concurrentRevisions: number;
  readonly concurrentReleaseManagers: number;
  readonly syncPeriodMs: number;
}

export function releaseControllers(options: ReleasesOptions): readonly AnyController[] {
  const { concurrentRevisions, concurrentReleaseManagers, ...settings } = options;
  return [
    revisionController({ ...settings, concurrency: concurrentRevisions }),
    releaseManagerController({ ...settings, concurrency: concurrentReleaseManagers }),
    clusterController(),
  ];
}
