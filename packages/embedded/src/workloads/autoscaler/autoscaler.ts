// Scales what HorizontalPodAutoscalers name, by what the caller's load model says is measured.
import {
  type Condition,
  type CrossVersionObjectReference,
  HorizontalPodAutoscaler,
  type HorizontalPodAutoscalerStatus,
  keyOf,
  matchesLabels,
  type MetricSpec,
  type MetricStatus,
  parseKey,
  parseLabelSelector,
  type Scale,
  setConditions,
} from "@chaski/kube";
import { equalJson } from "../../schema/json.ts";
import type { Access } from "../access.ts";
import type { ClusterState, ControllerParts } from "../cluster-state.ts";
import { isActive, isReady } from "../pods/pod-facts.ts";
import type { Recorder } from "../recorder.ts";
import type { WorkQueue } from "../workbench.ts";
import type { LoadModel } from "./load.ts";
import { failureReason, missing, type Proposal, propose } from "./metrics.ts";
import { Pace } from "./pace.ts";

const PERIOD_MS = 15_000;
const TOLERANCE = 0.1;

export class Autoscaler {
  readonly #access: Access;
  readonly #recorder: Recorder;
  readonly #state: ClusterState;
  readonly #load: LoadModel;
  readonly #queue: WorkQueue;
  readonly #paces = new Map<string, Pace>();

  constructor({ access, recorder, state, workbench }: ControllerParts, load: LoadModel = () => undefined) {
    this.#access = access;
    this.#recorder = recorder;
    this.#state = state;
    this.#load = load;
    this.#queue = workbench.queue((key) => this.#sync(key));
  }

  start(): void {
    this.#access.watch(HorizontalPodAutoscaler, ({ before, after }) => {
      if (after) this.#queue.addAfter(keyOf(after.metadata), PERIOD_MS);
      else if (before) this.#paces.delete(keyOf(before.metadata));
    });
  }

  async #sync(key: string): Promise<void> {
    const autoscaler = this.#access.get(HorizontalPodAutoscaler, parseKey(key));
    if (!autoscaler) return;
    this.#queue.addAfter(key, PERIOD_MS);
    const verdict = new Verdict(autoscaler, this.#access.now);
    await this.#judge(autoscaler, verdict);
    if (equalJson(spelledOut(autoscaler.status), spelledOut(verdict.status))) return;
    const { status } = verdict;
    await this.#access.edit(HorizontalPodAutoscaler, autoscaler.metadata, (live) => ({ ...live, status }), "status");
  }

  async #judge(autoscaler: HorizontalPodAutoscaler, verdict: Verdict): Promise<void> {
    const { scaleTargetRef } = autoscaler.spec;
    const scale = this.#access.scaleOf(scaleTargetRef, autoscaler.metadata.namespace);
    if (!scale) return this.#missTarget(autoscaler, scaleTargetRef, verdict);
    verdict.say("AbleToScale", "True", SUCCEEDED_GET_SCALE);
    const current = scale.spec.replicas ?? 0;
    this.#paceOf(autoscaler).begin(current, this.#access.nowMs);
    const wish = this.#wishFor(autoscaler, scale, verdict);
    if (!wish) {
      verdict.settle({ currentReplicas: current });
      if (current === 0) verdict.settle({ desiredReplicas: 0 });
      return;
    }
    verdict.settle({ currentReplicas: current, desiredReplicas: wish.replicas });
    if (wish.replicas !== current) await this.#rescale(autoscaler, { ...wish, current }, verdict);
  }

  async #missTarget(
    autoscaler: HorizontalPodAutoscaler,
    { apiVersion, kind, name }: CrossVersionObjectReference,
    verdict: Verdict,
  ): Promise<void> {
    const [group = ""] = apiVersion?.includes("/") ? apiVersion.split("/") : [];
    const plural = `${kind.toLowerCase()}s${group && `.${group}`}`;
    const problem = `${plural} "${name}" not found`;
    const message = `the HPA controller was unable to get the target's current scale: ${problem}`;
    verdict.say("AbleToScale", "False", { reason: "FailedGetScale", message });
    await this.#tell(autoscaler, "Warning", "FailedGetScale", problem);
  }

  #wishFor(
    autoscaler: HorizontalPodAutoscaler,
    scale: Scale,
    verdict: Verdict,
  ): { replicas: number; because: string } | undefined {
    const { minReplicas = 1, maxReplicas } = autoscaler.spec;
    const current = scale.spec.replicas ?? 0;
    if (current === 0 && minReplicas !== 0) return verdict.say("ScalingActive", "False", DISABLED);
    if (current > maxReplicas)
      return { replicas: maxReplicas, because: "Current number of replicas above Spec.MaxReplicas" };
    if (current < minReplicas)
      return { replicas: minReplicas, because: "Current number of replicas below Spec.MinReplicas" };
    const proposal = this.#measure(autoscaler, scale, verdict);
    if (!proposal) return undefined;
    const because = proposal.replicas > current ? `${proposal.description} above target` : "All metrics below target";
    return { replicas: this.#pace(autoscaler, { current, desired: proposal.replicas }, verdict), because };
  }

  #measure(autoscaler: HorizontalPodAutoscaler, scale: Scale, verdict: Verdict): Proposal | undefined {
    const metrics = autoscaler.spec.metrics ?? [];
    const proposals = metrics.map((metric) => this.#propose(autoscaler, scale, metric));
    const found = proposals.filter((proposal) => proposal !== undefined);
    verdict.settle({ currentMetrics: proposals.map((proposal) => proposal?.status ?? UNMEASURED) });
    const [best] = found.toSorted((left, right) => right.replicas - left.replicas);
    const unmeasured = metrics[proposals.indexOf(undefined)];
    if (best && (!unmeasured || best.replicas >= (scale.spec.replicas ?? 0))) {
      const message = `the HPA was able to successfully calculate a replica count from ${best.description}`;
      verdict.say("ScalingActive", "True", { reason: "ValidMetricFound", message });
      return best;
    }
    if (!unmeasured) return undefined;
    const message = `the HPA was unable to compute the replica count: ${missing(unmeasured)}`;
    return verdict.say("ScalingActive", "False", { reason: failureReason(unmeasured), message });
  }

  #propose({ metadata, spec }: HorizontalPodAutoscaler, scale: Scale, metric: MetricSpec): Proposal | undefined {
    const { namespace = "" } = metadata;
    const ready = this.#readyPods(namespace, scale);
    const { nowMs } = this.#access;
    const measured = this.#load({ namespace, target: spec.scaleTargetRef, metric, nowMs, replicas: ready });
    if (measured === undefined) return undefined;
    const { scaleUp, scaleDown } = spec.behavior ?? {};
    const tolerance = { up: Number(scaleUp?.tolerance ?? TOLERANCE), down: Number(scaleDown?.tolerance ?? TOLERANCE) };
    return propose(metric, measured, { wanted: scale.spec.replicas ?? 0, ready }, tolerance);
  }

  #readyPods(namespace: string, { status }: Scale): number {
    const selector = parseLabelSelector(status?.selector ?? "");
    if (!selector.ok || selector.value.length === 0) return 0;
    const pods = this.#state.podsIn(namespace).filter(({ metadata }) => matchesLabels(selector.value, metadata.labels));
    return pods.filter((pod) => isActive(pod) && isReady(pod)).length;
  }

  #pace(
    autoscaler: HorizontalPodAutoscaler,
    { current, desired }: { current: number; desired: number },
    verdict: Verdict,
  ): number {
    const { nowMs } = this.#access;
    const paced = this.#paceOf(autoscaler).apply({ spec: autoscaler.spec, current, desired, nowMs });
    const { stabilized, limited } = paced;
    verdict.say("AbleToScale", "True", stabilized);
    verdict.say("ScalingLimited", limited.replicas === stabilized.replicas ? "False" : "True", limited);
    return limited.replicas;
  }

  #paceOf({ metadata }: HorizontalPodAutoscaler): Pace {
    const key = keyOf(metadata);
    const pace = this.#paces.get(key) ?? new Pace();
    this.#paces.set(key, pace);
    return pace;
  }

  async #rescale(
    autoscaler: HorizontalPodAutoscaler,
    { replicas, because, current }: { replicas: number; because: string; current: number },
    verdict: Verdict,
  ): Promise<void> {
    await this.#access.setScale(autoscaler.spec.scaleTargetRef, autoscaler.metadata.namespace, replicas);
    const message = `the HPA controller was able to update the target scale to ${replicas}`;
    verdict.say("AbleToScale", "True", { reason: "SucceededRescale", message });
    verdict.settle({ lastScaleTime: this.#access.now });
    this.#paceOf(autoscaler).changed(replicas - current, this.#access.nowMs);
    await this.#tell(autoscaler, "Normal", "SuccessfulRescale", `New size: ${replicas}; reason: ${because}`);
  }

  async #tell(
    autoscaler: HorizontalPodAutoscaler,
    type: "Normal" | "Warning",
    reason: string,
    message: string,
  ): Promise<void> {
    await this.#recorder.record(HorizontalPodAutoscaler, autoscaler, { type, reason, message });
  }
}

interface Because {
  readonly reason: string;
  readonly message: string;
}

const SUCCEEDED_GET_SCALE: Because = {
  reason: "SucceededGetScale",
  message: "the HPA controller was able to get the target's current scale",
};
const DISABLED: Because = {
  reason: "ScalingDisabled",
  message: "scaling is disabled since the replica count of the target is zero",
};

/** The real controller leaves an empty place for a metric that it did not get. */
const UNMEASURED: MetricStatus = { type: "" };

/** The status as one look at the autoscaler leaves it. */
class Verdict {
  #status: HorizontalPodAutoscalerStatus;
  readonly #now: string;

  constructor({ status }: HorizontalPodAutoscaler, now: string) {
    this.#status = { desiredReplicas: 0, ...status };
    this.#now = now;
  }

  get status(): HorizontalPodAutoscalerStatus {
    return this.#status;
  }

  say(type: string, status: Condition["status"], { reason, message }: Because): undefined {
    const before = this.#status.conditions as readonly Condition[] | undefined;
    this.settle({ conditions: setConditions(before, [{ type, status, reason, message }], this.#now) });
  }

  settle(part: Partial<HorizontalPodAutoscalerStatus>): void {
    this.#status = { ...this.#status, ...part };
  }
}

/** Absent numbers are zero, absent lists empty. */
function spelledOut(status: HorizontalPodAutoscalerStatus | undefined): object {
  return { currentReplicas: 0, desiredReplicas: 0, currentMetrics: [], conditions: [], ...status };
}
