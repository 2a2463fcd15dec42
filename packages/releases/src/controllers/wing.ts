// The controllers of the wing.
import type { AnyController } from "@chaski/runtime";
import { clusterController } from "./cluster.ts";
import { clusterSecretsController } from "./cluster-secrets.ts";
import { faultInjectorController } from "./fault-injector.ts";
import type { ReleaseSettings } from "./gather-release.ts";
import { mirrorController } from "./mirror.ts";
import { releaseManagerController } from "./release-manager.ts";
import { revisionController } from "./revision.ts";

export interface ReleasesOptions extends ReleaseSettings {
  readonly concurrentRevisions: number;
  readonly concurrentReleaseManagers: number;
  readonly syncPeriodMs: number;
}

/** `options` is handed on as it is: its settings are read in every pass, and may change between two. */
export function releaseControllers(options: ReleasesOptions): readonly AnyController[] {
  const { concurrentRevisions, concurrentReleaseManagers, syncPeriodMs } = options;
  return [
    revisionController(options, { syncPeriodMs, concurrency: concurrentRevisions }),
    releaseManagerController(options, { syncPeriodMs, concurrency: concurrentReleaseManagers }),
    clusterController(),
    clusterSecretsController(options, syncPeriodMs),
    faultInjectorController(),
    mirrorController(syncPeriodMs),
  ];
}
