// A pod's status as a kubelet writes it.
import { type ContainerState, type ContainerStatus, findCondition, type Pod, type PodCondition } from "@chaski/kube";

export type PodClaim = Omit<PodCondition, "lastProbeTime" | "lastTransitionTime">;

/** The pod with this condition; when it changed last moves only with its status. */
export function withPodCondition(pod: Pod, claim: PodClaim, now: string): Pod {
  const before = pod.status?.conditions ?? [];
  const others = before.filter(({ type }) => type !== claim.type);
  const observed = { ...claim, ...observedIn(pod) };
  return { ...pod, status: { ...pod.status, conditions: [...others, settled(before, observed, now)] } };
}

/** The condition as it stands when nothing about it is new. */
function settled(conditions: readonly PodCondition[], claim: PodClaim, now: string): PodCondition {
  const before = findCondition(conditions, claim.type);
  if (before?.status !== claim.status) return { ...claim, lastTransitionTime: now };
  return { ...before, ...claim };
}

/** What a kubelet has to say about a pod; all containers of a pod share one fate here. */
export interface PodReport {
  readonly phase: "Pending" | "Running" | "Failed";
  readonly isReady: boolean;
  readonly restarts: number;
  readonly state: ContainerState;
  readonly lastState: ContainerState;
  readonly startTime: string;
  readonly podIp: string | undefined;
  readonly hostIp: string;
}

export function withReport(pod: Pod, report: PodReport, now: string): Pod {
  const { phase, startTime, podIp, hostIp } = report;
  return {
    ...pod,
    status: {
      ...pod.status,
      phase,
      conditions: conditionsOf(pod, report, now),
      hostIP: hostIp,
      hostIPs: [{ ip: hostIp }],
      ...(podIp !== undefined && { podIP: podIp, podIPs: [{ ip: podIp }] }),
      startTime,
      containerStatuses: containerStatusesOf(pod, report),
      ...observedIn(pod),
    },
  };
}

function conditionsOf(pod: Pod, { phase, isReady, podIp }: PodReport, now: string): PodCondition[] {
  const readiness = isReady ? { status: "True" } : { status: "False", ...unreadyBecause(pod, phase) };
  const claims: readonly PodClaim[] = [
    { type: "PodReadyToStartContainers", status: podIp !== undefined && phase !== "Failed" ? "True" : "False" },
    { type: "Initialized", status: "True" },
    { type: "Ready", ...readiness },
    { type: "ContainersReady", ...readiness },
    { type: "PodScheduled", status: "True" },
  ];
  const before = pod.status?.conditions ?? [];
  const others = before.filter(({ type }) => !claims.some((claim) => claim.type === type));
  return [...claims.map((claim) => settled(before, { ...claim, ...observedIn(pod) }, now)), ...others];
}

function observedIn({ metadata }: Pod): { readonly observedGeneration?: number } {
  return metadata.generation === undefined ? {} : { observedGeneration: metadata.generation };
}

function unreadyBecause({ spec }: Pod, phase: string): Pick<PodClaim, "reason" | "message"> {
  if (phase === "Failed") return { reason: "PodFailed" };
  const names = (spec?.containers ?? []).map(({ name }) => name);
  return { reason: "ContainersNotReady", message: `containers with unready status: [${names.join(" ")}]` };
}

function containerStatusesOf(pod: Pod, { isReady, restarts, state, lastState }: PodReport): ContainerStatus[] {
  const isRunning = state.running !== undefined;
  return (pod.spec?.containers ?? []).map(({ name, image = "" }, index) => ({
    name,
    image,
    imageID: state.waiting && restarts === 0 ? "" : `${image.replace(/[:@][^/]*$/, "")}@sha256:simulated`,
    ready: isReady,
    started: isRunning,
    restartCount: restarts,
    state,
    lastState,
    ...(isRunning && { containerID: `simulated://${pod.metadata.uid}-${index}-${restarts}` }),
  }));
}
