import type { PortInfo } from "@chaski/api";
import type { ContainerPort } from "@chaski/kube";
import { filled } from "./filled.ts";

/** Sorted by number. Ports that share one are listed once: server-side apply tells them apart by number alone. */
export function containerPorts(ports: readonly PortInfo[]): readonly ContainerPort[] {
  return ports
    .filter((port) => containerPortName(ports, port.name) === port.name)
    .map(({ name, protocol, containerPort = 80 }) => filled({ name, protocol, containerPort }))
    .toSorted((a, b) => a.containerPort - b.containerPort);
}

/** The name under which the container lists a port: its own, or that of the first one with the same number. */
export function containerPortName(ports: readonly PortInfo[], name: string): string {
  const port = ports.find((candidate) => candidate.name === name);
  const first = ports.find((candidate) => port && identity(candidate) === identity(port));
  return first?.name ?? name;
}

function identity({ containerPort = 80, protocol = "TCP" }: PortInfo): string {
  return `${containerPort}/${protocol}`;
}
