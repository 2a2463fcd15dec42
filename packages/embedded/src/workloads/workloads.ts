// The controllers that run Deployments, ReplicaSets and pods on simulated nodes, and the caller's hold on them.
import { type Key, keyOf } from "@chaski/kube";
import type { Api } from "../request/api.ts";
import { Access } from "./access.ts";
import { Autoscaler } from "./autoscaler/autoscaler.ts";
import { ClusterState, type ControllerParts } from "./cluster-state.ts";
import { DeploymentController } from "./deployment/deployment-controller.ts";
import { createNode, nodesOf } from "./nodes/nodes.ts";
import { Scheduler } from "./nodes/scheduler.ts";
import type { PodFilter, WorkloadsOptions } from "./options.ts";
import { Kubelet } from "./pods/kubelet.ts";
import { Recorder } from "./recorder.ts";
import { ReplicaSetController } from "./replica-set/replica-set-controller.ts";
import { EndpointsController } from "./services/endpoints-controller.ts";
import { Workbench } from "./workbench.ts";

export interface Workloads {
  /** Keeps pods, now and later ones, from becoming ready; those that are ready stay so. */
  hold(filter: PodFilter): void;
  /** Ends this hold, or all. */
  release(filter?: PodFilter): void;
  /** From now on the pod is ready or not because the caller says so. */
  setReady(pod: Key, isReady: boolean): void;
  /** Ends the containers of the pods with an error, once; they are started again as their restarts allow. */
  crash(filter: PodFilter): void;
  /** Ends the pods for good: they fail, and whoever owns them replaces them. */
  fail(filter: PodFilter): Promise<void>;
  /** No timer is left when this returns. */
  stop(): void;
}

const MANAGER = "kube-controller-manager";

export async function startWorkloads(api: Api, options: WorkloadsOptions): Promise<Workloads> {
  const state = new ClusterState(new Access(api, MANAGER));
  const workbench = new Workbench(api.clock);
  const partsOf = (manager: string, component: string): ControllerParts => {
    const access = new Access(api, manager);
    return { access, recorder: new Recorder(access, component), state, workbench };
  };
  const kubelet = new Kubelet(partsOf("kubelet", "kubelet"), options);
  const controllers = [
    new Scheduler(partsOf("kube-scheduler", "default-scheduler")),
    kubelet,
    new ReplicaSetController(partsOf(MANAGER, "replicaset-controller")),
    new DeploymentController(partsOf(MANAGER, "deployment-controller")),
    new EndpointsController(partsOf(MANAGER, "endpoint-controller")),
    new Autoscaler(partsOf(MANAGER, "horizontal-pod-autoscaler"), options.load),
  ];
  for (const controller of controllers) controller.start();
  for (const [index, node] of nodesOf(options.nodes ?? 1).entries())
    await createNode(new Access(api, "kubelet"), node, index);
  return {
    hold: (filter) => kubelet.hold(filter),
    release: (filter) => kubelet.release(filter),
    setReady: (pod, isReady) => kubelet.judge(({ metadata }) => keyOf(metadata) === keyOf(pod), isReady),
    crash: (filter) => kubelet.crash(filter),
    fail: (filter) => kubelet.fail(filter),
    stop: () => workbench.stop(),
  };
}
