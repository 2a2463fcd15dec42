import { releaseKeys, type RevisionTarget } from "@chaski/api";
import { ReplicaSet as ReplicaSetKind, type ReplicaSet, refTo } from "@chaski/kube";
import { type ApplyEntry, apply } from "@chaski/runtime/decision";
import type { RevisionPlan } from "../plan/plan.ts";
import type { App } from "./app.ts";
import { filled } from "./filled.ts";
import { incarnationLabels, type Labels } from "./labels.ts";
import { buildPodTemplate } from "./pod-template.ts";

const { annotations: keys } = releaseKeys;

/** The same on every cluster but for its replicas. */
export function buildReplicaSet(app: App, plan: RevisionPlan): ReplicaSet {
  const { tag, target } = plan;
  const template = buildPodTemplate(app, plan);
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: tag,
      namespace: app.namespace,
      labels: incarnationLabels(app, tag),
      annotations: annotationsOf(plan),
    },
    spec: {
      ...(target.scale.minReadySeconds ? { minReadySeconds: target.scale.minReadySeconds } : {}),
      selector: { matchLabels: selectorOf(template.metadata?.labels ?? {}) },
      template,
    },
  };
}

/** Selector, template and replicas are given once: later templates are another tag's, and replicas are scaled. */
export function applyReplicaSet(replicaSet: ReplicaSet, replicas: number): ApplyEntry {
  const { spec, ...head } = replicaSet;
  const { minReadySeconds, selector, template } = spec;
  const object = minReadySeconds === undefined ? head : { ...head, spec: { minReadySeconds } };
  return apply(refTo(ReplicaSetKind, replicaSet), object, { initial: { spec: { replicas, selector, template } } });
}

function annotationsOf({ target, isReplicaDriven }: RevisionPlan): Labels {
  return {
    [keys.autoscaler]: autoscalerOf(target),
    ...filled({ [keys.iamRole]: target.aws?.iam?.role_arn }),
    ...(isReplicaDriven ? { [keys.ramping]: "true" } : {}),
  };
}

/** `hpa` also stands for no autoscaler at all, and for the ambient ScaledObject. */
function autoscalerOf({ scale: { worker, kedaWorker } }: RevisionTarget): "wpa" | "keda" | "hpa" {
  if (worker) return "wpa";
  return kedaWorker ? "keda" : "hpa";
}

/** Mesh tools change `app` and `version` on pods; neither may decide which pods are ours. */
function selectorOf({ app: _app, version: _version, ...rest }: Labels): Labels {
  return rest;
}
