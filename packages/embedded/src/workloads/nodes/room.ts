// What pods ask of a node, and what a node has to give.
import { type Node, type Pod, parseQuantity } from "@chaski/kube";

/** In thousandths of a core, bytes and pods. */
export interface Room {
  readonly cpu: bigint;
  readonly memory: bigint;
  readonly pods: bigint;
}

export const NO_ROOM: Room = { cpu: 0n, memory: 0n, pods: 0n };

export function roomAskedBy({ spec }: Pod): Room {
  const requests = (spec?.containers ?? []).map(({ resources }) => resources?.requests ?? {});
  return requests.map((request) => readRoom(request)).reduce(plus, { ...NO_ROOM, pods: 1n });
}

export function roomOf({ status }: Node): Room {
  return readRoom(status?.allocatable ?? {});
}

export function plus(left: Room, right: Room): Room {
  return { cpu: left.cpu + right.cpu, memory: left.memory + right.memory, pods: left.pods + right.pods };
}

export function minus(left: Room, right: Room): Room {
  return { cpu: left.cpu - right.cpu, memory: left.memory - right.memory, pods: left.pods - right.pods };
}

/** What there is too little of, as the scheduler says it. */
export function shortagesOf(free: Room, asked: Room): string[] {
  const shortages: [boolean, string][] = [
    [asked.pods > free.pods, "Too many pods"],
    [asked.cpu > 0n && asked.cpu > free.cpu, "Insufficient cpu"],
    [asked.memory > 0n && asked.memory > free.memory, "Insufficient memory"],
  ];
  return shortages.filter(([isShort]) => isShort).map(([, text]) => text);
}

function readRoom(amounts: Readonly<Record<string, string>>): Room {
  const nanos = (name: string): bigint => {
    const quantity = parseQuantity(amounts[name] ?? "0");
    return quantity.ok ? quantity.value.nanos : 0n;
  };
  return { cpu: nanos("cpu") / 1_000_000n, memory: nanos("memory") / 10n ** 9n, pods: nanos("pods") / 10n ** 9n };
}
