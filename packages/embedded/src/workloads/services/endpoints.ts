// Where a Service's traffic goes: the addresses of its pods, by the ports that they have for it.
import type { ContainerPort, DiscoveryEndpointPort, Pod, Service, ServicePort } from "@chaski/kube";
import { isBeingDeleted } from "../ownership.ts";
import { hasEnded, isReady } from "../pods/pod-facts.ts";

/** Pods that serve the same ports. */
export interface EndpointGroup {
  readonly ports: readonly DiscoveryEndpointPort[];
  readonly pods: readonly Pod[];
}

export function endpointGroups(service: Service, pods: readonly Pod[]): EndpointGroup[] {
  const groups = new Map<string, { ports: DiscoveryEndpointPort[]; pods: Pod[] }>();
  for (const pod of pods.filter(hasAddress).toSorted(byIp)) {
    const ports = portsOf(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, pods: [] };
    group.pods.push(pod);
    groups.set(key, group);
  }
  return [...groups.values()];
}

export function subsetsOf(groups: readonly EndpointGroup[]): object[] {
  return groups
    .map(({ ports, pods }) => {
      const living = pods.filter((pod) => !isBeingDeleted(pod));
      const [ready, others] = [living.filter(isReady), living.filter((pod) => !isReady(pod))];
      return {
        ...(ready.length > 0 && { addresses: ready.map(addressOf) }),
        ...(others.length > 0 && { notReadyAddresses: others.map(addressOf) }),
        ...(ports.length > 0 && { ports }),
      };
    })
    .filter((subset) => "addresses" in subset || "notReadyAddresses" in subset);
}

export function sliceEndpointsOf({ pods }: EndpointGroup): object[] {
  return pods.map((pod) => ({
    addresses: [pod.status?.podIP],
    conditions: {
      ready: isReady(pod) && !isBeingDeleted(pod),
      serving: isReady(pod),
      terminating: isBeingDeleted(pod),
    },
    ...whereAndWho(pod),
  }));
}

function addressOf(pod: Pod): object {
  return { ip: pod.status?.podIP, ...whereAndWho(pod) };
}

function whereAndWho({ metadata, spec }: Pod): object {
  const { namespace, name, uid } = metadata;
  return { nodeName: spec?.nodeName, targetRef: { kind: "Pod", namespace, name, uid } };
}

function hasAddress(pod: Pod): boolean {
  return pod.status?.podIP !== undefined && !hasEnded(pod);
}

function byIp(left: Pod, right: Pod): number {
  return (left.status?.podIP ?? "") < (right.status?.podIP ?? "") ? -1 : 1;
}

function portsOf({ spec }: Service, pod: Pod): DiscoveryEndpointPort[] {
  return (spec?.ports ?? []).flatMap((servicePort) => {
    const port = targetOf(servicePort, pod);
    const { name = "", protocol = "TCP", appProtocol } = servicePort;
    return port === undefined ? [] : [{ name, port, protocol, ...(appProtocol !== undefined && { appProtocol }) }];
  });
}

/** A number as it is, a name as the containers know it; undefined when none of them does. */
function targetOf({ targetPort, port, protocol = "TCP" }: ServicePort, { spec }: Pod): number | undefined {
  if (typeof targetPort === "number") return targetPort || port;
  if (targetPort === undefined || targetPort === "") return port;
  const ports = (spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  const isMeant = (candidate: ContainerPort): boolean =>
    candidate.name === targetPort && (candidate.protocol ?? "TCP") === protocol;
  return ports.find(isMeant)?.containerPort;
}
