import type { Key, Lease } from "@chaski/kube";

export interface Claim {
  readonly identity: string;
  readonly leaseMs: number;
  readonly nowMs: number;
}

export function newLease(key: Key, claim: Claim): Lease {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { ...key },
    spec: { ...claimed(claim), acquireTime: microTime(claim.nowMs), leaseTransitions: 0 },
  };
}

/** The lease as ours from now on: renewed if it was, taken over if it was not. */
export function renewedLease(lease: Lease, claim: Claim): Lease {
  const isOurs = lease.spec.holderIdentity === claim.identity;
  const transitions = lease.spec.leaseTransitions ?? 0;
  const taken = isOurs ? {} : { acquireTime: microTime(claim.nowMs), leaseTransitions: transitions + 1 };
  return { ...lease, spec: { ...lease.spec, ...claimed(claim), ...taken } };
}

/** The lease as nobody's, so that the next one need not wait for it to end. */
export function releasedLease(lease: Lease, nowMs: number): Lease {
  const times = { renewTime: microTime(nowMs), acquireTime: microTime(nowMs) };
  return { ...lease, spec: { ...lease.spec, holderIdentity: "", leaseDurationSeconds: 1, ...times } };
}

function claimed({ identity, leaseMs, nowMs }: Claim): Lease["spec"] {
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(leaseMs / 1_000),
    renewTime: microTime(nowMs),
  };
}

/** As Kubernetes' MicroTime wants it: six digits. */
function microTime(nowMs: number): string {
  return new Date(nowMs).toISOString().replace("Z", "000Z");
}
