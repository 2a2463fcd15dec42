// How the operator is set up, as far as decisions and objects depend on it.

export interface ReleaseFlags {
  readonly isHumaneReleasesEnabled: boolean;
  readonly serviceLevelsNamespace: string;
  readonly devRoutesServiceHost: string;
  readonly devRoutesServicePort: number;
  readonly clusterPrometheusAddress: string;
  readonly rampMode: RampMode;
  /** Between the moment that no route of a cluster names a tag and scaling it down there. */
  readonly drainMs: number;
  /** How long a ReleaseManager whose last Revision vanished under traffic waits. */
  readonly orphanGraceMs: number;
  /** How long a finalizer waits for clean-up that does not succeed. */
  readonly cleanupTimeoutMs: number;
  /** Limits of states, by state; those of the state table where not given (D-80). */
  readonly stateLimitsMs: Readonly<Record<string, number>>;
  /** Judges that are configured; a revision that wants another one is told so. Undefined: nobody knows. */
  readonly judges?: readonly string[];
  /** Above this percent, won against others, a judge fails nothing any more. */
  readonly judgeUntilPercent: number;
}

export type RampMode = "autoscaler" | "replicaset";

const MINUTE_MS = 60_000;

export const defaultFlags: ReleaseFlags = {
  isHumaneReleasesEnabled: true,
  serviceLevelsNamespace: "service-level-objectives",
  devRoutesServiceHost: "",
  devRoutesServicePort: 80,
  clusterPrometheusAddress: "",
  rampMode: "autoscaler",
  drainMs: 15_000,
  orphanGraceMs: 10 * MINUTE_MS,
  cleanupTimeoutMs: 60 * MINUTE_MS,
  stateLimitsMs: {},
  judgeUntilPercent: 50,
};
