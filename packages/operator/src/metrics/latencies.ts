import type { IncarnationStatus } from "@chaski/api";

type Field = keyof NonNullable<IncarnationStatus["metrics"]>;

export interface Latency {
  readonly name: string;
  readonly help: string;
  /** Where the seconds stand in a ReleaseManager's status. */
  readonly field: Field;
  readonly buckets: readonly number[];
}

const threefold = (first: number): readonly number[] => Array.from({ length: 7 }, (_, index) => first * 3 ** index);
const LONG = threefold(120);
const SHORT = threefold(30);

export const LATENCIES: readonly Latency[] = [
  latency("git_create", "gitCreateSecondsInt", LONG, "from commit to Revision"),
  latency("git_deploy", "gitDeploySecondsInt", LONG, "from commit to deployed"),
  latency("git_canary", "gitCanarySecondsInt", LONG, "from commit to the end of the canary"),
  latency("git_pending_release", "gitPendingReleaseSecondsInt", LONG, "from commit to waiting for release"),
  latency("git_release", "gitReleaseSecondsInt", LONG, "from commit to released"),
  latency("revision_deploy", "revisionDeploySecondsInt", LONG, "from Revision to deployed"),
  latency("revision_canary", "revisionCanarySecondsInt", LONG, "from Revision to the end of the canary"),
  latency("revision_pending_release", "revisionPendingReleaseSecondsInt", LONG, "from Revision to waiting for release"),
  latency("revision_release", "revisionReleaseSecondsInt", LONG, "from Revision to released"),
  latency("revision_rollback", "revisionRollbackSecondsInt", SHORT, "from failed to rolled back"),
  latency("deploy", "deploySecondsInt", SHORT, "of the deployment"),
  latency("canary", "canarySecondsInt", SHORT, "of the canary"),
  latency("release", "releaseSecondsInt", SHORT, "of the release"),
];

function latency(name: string, field: Field, buckets: readonly number[], what: string): Latency {
  return { name: `picchu_${name}_latency`, help: `Seconds ${what}.`, field, buckets };
}
