// Why pods do not become ready, as their kubelet and the scheduler tell it.
import type { ContainerStatus, Pod } from "@chaski/kube";
import { findCondition, isTrue, parseTimestamp } from "@chaski/kube";

export type PodTroubleKind = "image" | "crash" | "config" | "node";

/** What several pods of one tag on one cluster suffer from alike. */
export interface PodTrouble {
  readonly kind: PodTroubleKind;
  readonly pods: number;
  /** How many of the tag there are on the cluster, ready ones included. */
  readonly of: number;
  /** One of them, to look at. */
  readonly example: string;
  readonly image?: string;
  readonly container?: string;
  /** As whoever refused it said. */
  readonly said: string;
  /** When the oldest of them was made. */
  readonly sinceMs?: number;
}

const SAID_MAX = 240;

/** The most frequent trouble first; pods that only take their time have none. */
export function troublesIn(pods: readonly Pod[]): readonly PodTrouble[] {
  const present = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const groups = new Map<string, Found[]>();
  for (const found of present.filter((pod) => !isTrue(pod.status?.conditions, "Ready")).flatMap(troubleOf)) {
    const key = JSON.stringify([found.kind, found.image, found.container]);
    groups.set(key, [...(groups.get(key) ?? []), found]);
  }
  return [...groups.values()].toSorted((a, b) => b.length - a.length).flatMap((group) => summed(group, present.length));
}

interface Found extends Pick<PodTrouble, "kind" | "image" | "container" | "said"> {
  readonly pod: Pod;
}

function summed(group: readonly Found[], of: number): readonly PodTrouble[] {
  const sorted = group.toSorted((a, b) => (a.pod.metadata.name < b.pod.metadata.name ? -1 : 1));
  const [first] = sorted;
  if (!first) return [];
  const { pod, ...trouble } = first;
  const since = sorted.map((found) => found.pod.metadata.creationTimestamp ?? "").toSorted()[0];
  const parsed = parseTimestamp(since ?? "");
  return [
    {
      ...trouble,
      said: trouble.said.slice(0, SAID_MAX),
      pods: group.length,
      of,
      example: pod.metadata.name,
      ...(parsed.ok ? { sinceMs: parsed.value } : {}),
    },
  ];
}

function troubleOf(pod: Pod): readonly Found[] {
  const { containerStatuses = [], initContainerStatuses = [], conditions } = pod.status ?? {};
  for (const status of [...initContainerStatuses, ...containerStatuses]) {
    const trouble = containerTrouble(status);
    if (trouble) return [{ pod, ...trouble }];
  }
  const scheduled = findCondition(conditions, "PodScheduled");
  if (scheduled?.status !== "False" || scheduled.reason !== "Unschedulable") return [];
  return [{ pod, kind: "node", said: scheduled.message ?? "" }];
}

/** Reasons of a waiting container, as the kubelet has them. */
const WAITING: Readonly<Record<string, PodTroubleKind>> = {
  ErrImagePull: "image",
  ImagePullBackOff: "image",
  InvalidImageName: "image",
  ErrImageNeverPull: "image",
  RegistryUnavailable: "image",
  CrashLoopBackOff: "crash",
  CreateContainerConfigError: "config",
  CreateContainerError: "config",
  RunContainerError: "config",
};

function containerTrouble(status: ContainerStatus): Omit<Found, "pod"> | undefined {
  const { name: container, image, state = {} } = status;
  const { reason = "", message = "" } = state.waiting ?? {};
  const kind = hasCrashed(status) ? "crash" : WAITING[reason];
  return kind && { kind, image, container, said: kind === "crash" ? exitOf(status) : bareWords(message, image) };
}

/** Between two tries it runs, or has just ended: it crashes all the same. */
function hasCrashed({ state, restartCount, ready }: ContainerStatus): boolean {
  const { exitCode = 0 } = state?.terminated ?? {};
  return exitCode !== 0 || (restartCount > 1 && !ready && state?.waiting === undefined);
}

function exitOf({ state, lastState, restartCount }: ContainerStatus): string {
  const exit = state?.terminated ?? lastState?.terminated;
  const times = `restarted ${restartCount} ${restartCount === 1 ? "time" : "times"}`;
  if (!exit) return times;
  const reason = exit.reason && exit.reason !== "Error" ? ` (${exit.reason})` : "";
  const last = exit.message?.trim().split("\n").at(-1);
  return `it ends with code ${exit.exitCode}${reason}, ${times}${last ? `: ${last}` : ""}`;
}

/** Without what kubelet and container runtime say around it: the image is named once, by us. */
function bareWords(message: string, image: string): string {
  return message
    .replace(/^Back-off pulling image "[^"]*"(: )?/, "")
    .replace(/^ErrImagePull: /, "")
    .replace(/^rpc error: code = \w+ desc = /, "")
    .replace(/^failed to pull and unpack image "[^"]*": /, "")
    .replace(/^failed to resolve (reference|image) "[^"]*": /, "")
    .replace(`${image}: `, "")
    .trim();
}
