// Nodes that exist in name only: always ready, with the room that the caller gave them.
import { Node } from "@chaski/kube";
import type { Access } from "../access.ts";
import type { SimulatedNode } from "../options.ts";

const ROOM_FOR_EVERYTHING = { cpu: "1k", memory: "1Ti", pods: 10_000 };

export function nodesOf(nodes: number | readonly SimulatedNode[]): readonly SimulatedNode[] {
  if (typeof nodes !== "number") return nodes;
  return Array.from({ length: nodes }, (_, index) => ({ name: `node-${index + 1}` }));
}

export async function createNode(access: Access, node: SimulatedNode, index: number): Promise<void> {
  const { name, labels = {}, ...room } = node;
  const { cpu, memory, pods } = { ...ROOM_FOR_EVERYTHING, ...room };
  const capacity = { cpu, memory, pods: `${pods}` };
  const wellKnown = {
    "beta.kubernetes.io/arch": "amd64",
    "beta.kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/hostname": name,
    "kubernetes.io/os": "linux",
  };
  await access.create(Node, { metadata: { name, labels: { ...wellKnown, ...labels } } });
  const { now } = access;
  const healthy = { lastHeartbeatTime: now, lastTransitionTime: now };
  await access.edit(
    Node,
    { name },
    (live) => ({
      ...live,
      status: {
        capacity,
        allocatable: capacity,
        conditions: [
          {
            type: "Ready",
            status: "True",
            reason: "KubeletReady",
            message: "kubelet is posting ready status",
            ...healthy,
          },
        ],
        addresses: [
          { type: "InternalIP", address: `10.0.${index >> 8}.${(index & 0xff) + 1}` },
          { type: "Hostname", address: name },
        ],
      },
    }),
    "status",
  );
}
