// The operator's own defaults, applied in memory whenever an object is read: a webhook that is absent does no harm.
import type { PortInfo } from "./port.ts";
import type { ReleaseInfo } from "./release-info.ts";
import type { ScaleInfo } from "./scale.ts";
import type { RevisionTarget } from "./target.ts";

const releaseDefaults = {
  max: 100,
  scalingStrategy: "geometric",
  schedule: "inhumane",
  ttl: 432_000,
  start: 10,
  factor: 2,
  increment: 5,
  delay: "10s",
} as const;

const REQUESTS_RATE_METRIC = "istio_requests_rate";
const EXTERNAL_TEST_TIMEOUT = "2h";
export const DEFAULT_SCALING_FACTOR = "1.0";

export function defaultTarget(target: RevisionTarget): RevisionTarget {
  const { externalTest } = target;
  return {
    ...target,
    scale: defaultScale(target.scale ?? {}),
    release: defaultRelease(target.release ?? {}),
    ...(externalTest
      ? { externalTest: { ...externalTest, timeout: externalTest.timeout || EXTERNAL_TEST_TIMEOUT } }
      : {}),
    ...(target.ports ? { ports: target.ports.map(defaultPort) } : {}),
  };
}

/** A default of 0 with a minimum starts at the minimum (D-22); a missing minimum is 1 at most (D-20). */
function defaultScale(scale: ScaleInfo): ScaleInfo {
  const max = scale.max || 1;
  return {
    ...scale,
    max,
    min: scale.min ?? Math.min(1, max),
    default: scale.default || Math.max(scale.min ?? 0, 0) || 1,
    requestsRateMetric: scale.requestsRateMetric || REQUESTS_RATE_METRIC,
  };
}

function defaultRelease(release: ReleaseInfo): ReleaseInfo {
  return {
    ...release,
    max: release.max || releaseDefaults.max,
    scalingStrategy: release.scalingStrategy || releaseDefaults.scalingStrategy,
    schedule: release.schedule || releaseDefaults.schedule,
    ttl: release.ttl || releaseDefaults.ttl,
    geometricScaling: defaultGeometric(release.geometricScaling),
    linearScaling: defaultLinear(release.linearScaling),
  };
}

/** A step of 0 or a factor below 2 would never end; they act as the smallest that does (D-13, D-33). */
function defaultGeometric(given: ReleaseInfo["geometricScaling"]): NonNullable<ReleaseInfo["geometricScaling"]> {
  const { start, factor, delay } = releaseDefaults;
  return {
    start: given?.start || start,
    factor: Math.max(2, given?.factor ?? factor),
    delay: given?.delay ?? delay,
  };
}

function defaultLinear(given: ReleaseInfo["linearScaling"]): NonNullable<ReleaseInfo["linearScaling"]> {
  const { increment, delay } = releaseDefaults;
  return { increment: Math.max(1, given?.increment ?? increment), delay: given?.delay ?? delay };
}

export function defaultPort(port: PortInfo): PortInfo {
  return {
    ...port,
    mode: port.mode || "private",
    ingressPort: port.ingressPort || 443,
    port: port.port || 80,
    containerPort: port.containerPort || 80,
    protocol: port.protocol || "TCP",
  };
}
