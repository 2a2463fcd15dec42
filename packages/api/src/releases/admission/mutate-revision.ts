import type { Revision } from "../revision.ts";
import type { RevisionTarget } from "../target.ts";
import { defaultPortOf, ingressBuckets, withIngresses } from "./ingress-ports.ts";

/**
 * Ports get their ingresses and ingresses their default port (§3.1): in the webhook, and again whenever a Revision is
 * read, so that an absent webhook does no harm (D-07). The object itself where nothing is missing.
 */
export function mutateRevision(revision: Revision): Revision {
  const targets = revision.spec.targets ?? [];
  const mutated = targets.map(mutateTarget);
  const isSame = mutated.every((target, index) => target === targets[index]);
  return isSame ? revision : { ...revision, spec: { ...revision.spec, targets: mutated } };
}

export function mutateTarget(target: RevisionTarget): RevisionTarget {
  const { ports = [], defaultIngressPorts: given = {} } = target;
  const mutated = ports.map(withIngresses);
  const missing = missingDefaults(mutated, given);
  const isSame = mutated.every((port, index) => port === ports[index]);
  if (isSame && Object.keys(missing).length === 0) return target;
  return {
    ...target,
    ports: mutated,
    ...(Object.keys(missing).length > 0 ? { defaultIngressPorts: { ...given, ...missing } } : {}),
  };
}

function missingDefaults(
  ports: NonNullable<RevisionTarget["ports"]>,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const computed = [...ingressBuckets(ports)].flatMap(([ingress, bucket]) => {
    const port = defaultPortOf(bucket);
    return port === undefined || ingress in given ? [] : [[ingress, port] as const];
  });
  return Object.fromEntries(computed.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
