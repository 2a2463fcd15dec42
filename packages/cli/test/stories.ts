// Releases in moments that people look at, each decided by the engine itself.
import type { ReleaseManager } from "@chaski/api";
import { formatTimestamp } from "@chaski/kube";
import { decideRelease, type ReleaseWorld } from "@chaski/releases";

import { aCluster, anEntry, aReleaseManager, aRevision, aWorld, NOW_MS } from "../../releases/test/worlds.ts";

export { NOW_MS };

const CLUSTERS = ["eu-1", "us-1", "us-2"];

interface Moment {
  readonly v2Percent: number;
  readonly v2Pods: number | readonly [number, number];
  readonly v2State?: string;
  readonly sinceMs?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly world?: Partial<ReleaseWorld>;
  readonly failed?: boolean;
  readonly away?: string;
}

/** Three clusters, v1 serves, v2 is on its way. */
function ramp({
  v2Percent,
  v2Pods,
  v2State = "releasing",
  sinceMs = 3_000,
  annotations = {},
  ...rest
}: Moment): ReleaseManager {
  const weights = v2Percent > 0 ? { v1: 100 - v2Percent, v2: v2Percent } : { v1: 100 };
  const since = formatTimestamp(NOW_MS - sinceMs);
  const clusters = CLUSTERS.map((name) =>
    aCluster(name, {
      pods: { v1: 4, v2: v2Pods },
      weights,
      ...(rest.away === name
        ? { contact: { state: "unreachable", lastHeardMs: NOW_MS - 90_000, cause: "connection refused" } }
        : {}),
    }),
  );
  const entries = [
    anEntry("v0", { state: "retired", peakPercent: 100, releaseEligible: false }),
    anEntry("v1", {
      state: "released",
      currentPercent: 100 - v2Percent,
      peakPercent: 100,
      scale: { Current: 12, Desired: 12, Peak: 12 },
    }),
    anEntry("v2", { state: v2State, currentPercent: v2Percent, lastUpdated: since }),
  ];
  const releaseManager = aReleaseManager(entries, {
    annotations,
    generation: 1,
    creationTimestamp: formatTimestamp(NOW_MS - 40 * 86_400_000),
  });
  const world = aWorld({
    clusters,
    revisions: [aRevision("v0"), aRevision("v1"), aRevision("v2", { spec: { failed: rest.failed === true } })],
    releaseManager,
    ...rest.world,
  });
  const { status, gates } = decideRelease(world);
  if (!status) throw new Error("the engine decides a status");
  return { ...releaseManager, status: { ...status, gates: gates.map((gate) => ({ ...gate })) } };
}

export const stories = {
  delay: () => ramp({ v2Percent: 20, v2Pods: 3 }),
  capacity: () => ramp({ v2Percent: 20, v2Pods: [3, 1], sinceMs: 60_000 }),
  paused: () => ramp({ v2Percent: 20, v2Pods: 3, annotations: { "chaski.dev/paused": "lunch" } }),
  idle: () =>
    ramp({
      v2Percent: 100,
      v2Pods: 4,
      v2State: "released",
      sinceMs: 600_000,
      annotations: { "chaski.dev/paused": "lunch", "chaski.dev/paused-by": "ana" },
    }),
  unreachable: () => ramp({ v2Percent: 20, v2Pods: 3, away: "us-2" }),
  failing: () => ramp({ v2Percent: 20, v2Pods: 3, v2State: "failing", failed: true }),
  released: () => ramp({ v2Percent: 100, v2Pods: 4, v2State: "released", sinceMs: 600_000 }),
} as const;

/** The same under another name. */
export function named(release: ReleaseManager, app: string, target = "production"): ReleaseManager {
  return {
    ...release,
    metadata: { ...release.metadata, name: `${app}-${target}` },
    spec: { ...release.spec, app, target },
  };
}
