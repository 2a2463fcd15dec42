// The rows of `kubectl get`, for every built-in kind that has columns of its own.
import { formatLabelSelector, readLabelSelector } from "@chaski/kube";
import { at, numberAt, objectAt, objectsAt, stringAt } from "../schema/fields.ts";
import { asText } from "../codec/text.ts";
import type { JsonObject } from "../schema/json.ts";
import { ageOf } from "./age.ts";
import { autoscalerCells } from "./autoscaler-cells.ts";
import { endpointsCells, endpointSliceCells, serviceCells } from "./network-cells.ts";
import { podCells } from "./pod-cells.ts";

type Cells = (object: JsonObject, nowMs: number) => unknown[];

const nameOf = (object: JsonObject): string => stringAt(object, "metadata", "name");
const age = (object: JsonObject, nowMs: number): string => ageOf(at(object, "metadata", "creationTimestamp"), nowMs);
const count = (object: unknown, ...path: string[]): number => numberAt(object, ...path) ?? 0;

const nameAndCreation: Cells = (object) => [nameOf(object), stringAt(object, "metadata", "creationTimestamp")];

function templateCells(object: JsonObject): string[] {
  const containers = objectsAt(object, "spec", "template", "spec", "containers");
  const selector = readLabelSelector(objectAt(object, "spec", "selector") ?? {});
  return [
    containers.map((container) => stringAt(container, "name")).join(","),
    containers.map((container) => stringAt(container, "image")).join(","),
    selector.ok ? formatLabelSelector(selector.value) : "<invalid>",
  ];
}

const webhooks: Cells = (object, nowMs) => [nameOf(object), objectsAt(object, "webhooks").length, age(object, nowMs)];

const bindings: Cells = (object, nowMs) => {
  const named = (kind: string): string =>
    objectsAt(object, "subjects")
      .filter((subject) => subject["kind"] === kind)
      .map((subject) =>
        kind === "ServiceAccount"
          ? `${stringAt(subject, "namespace")}/${stringAt(subject, "name")}`
          : stringAt(subject, "name"),
      )
      .join(", ");
  const role = `${stringAt(object, "roleRef", "kind")}/${stringAt(object, "roleRef", "name")}`;
  return [nameOf(object), role, age(object, nowMs), named("User"), named("Group"), named("ServiceAccount")];
};

const events: Cells = (event, nowMs) => {
  const first = ageOf(at(event, "firstTimestamp") ?? at(event, "eventTime"), nowMs);
  const series = objectAt(event, "series");
  const last = at(series, "lastObservedTime") ?? at(event, "lastTimestamp") ?? undefined;
  const regarding = objectAt(event, "involvedObject");
  return [
    last === undefined ? first : ageOf(last, nowMs),
    stringAt(event, "type"),
    stringAt(event, "reason"),
    joined("/", stringAt(regarding, "kind").toLowerCase(), stringAt(regarding, "name")),
    stringAt(regarding, "fieldPath"),
    sourceOf(event),
    stringAt(event, "message").trim(),
    first,
    numberAt(series, "count") || numberAt(event, "count") || 1,
    nameOf(event),
  ];
};

function sourceOf(event: JsonObject): string {
  const component = stringAt(event, "source", "component") || stringAt(event, "reportingComponent");
  return joined(", ", component, stringAt(event, "source", "host") || stringAt(event, "reportingInstance"));
}

function joined(separator: string, first: string, second: string): string {
  return second === "" ? first : `${first}${separator}${second}`;
}

const ROLE_LABEL = "node-role.kubernetes.io/";

const nodes: Cells = (node, nowMs) => {
  const ready = objectsAt(node, "status", "conditions").find((condition) => condition["type"] === "Ready");
  const state = ready ? (ready["status"] === "True" ? "Ready" : "NotReady") : "Unknown";
  const roles = Object.keys(objectAt(node, "metadata", "labels") ?? {})
    .filter((key) => key.startsWith(ROLE_LABEL) && key !== ROLE_LABEL)
    .map((key) => key.slice(ROLE_LABEL.length));
  const info = objectAt(node, "status", "nodeInfo");
  const address = (type: string): string =>
    stringAt(
      objectsAt(node, "status", "addresses").find((entry) => entry["type"] === type),
      "address",
    ) || "<none>";
  return [
    nameOf(node),
    at(node, "spec", "unschedulable") === true ? `${state},SchedulingDisabled` : state,
    roles.toSorted().join(",") || "<none>",
    age(node, nowMs),
    stringAt(info, "kubeletVersion"),
    address("InternalIP"),
    address("ExternalIP"),
    stringAt(info, "osImage") || "<unknown>",
    stringAt(info, "kernelVersion") || "<unknown>",
    stringAt(info, "containerRuntimeVersion") || "<unknown>",
  ];
};

const CELLS: Readonly<Record<string, Cells>> = {
  "/ConfigMap": (object, nowMs) => {
    const keys = [...Object.keys(objectAt(object, "data") ?? {}), ...Object.keys(objectAt(object, "binaryData") ?? {})];
    return [nameOf(object), keys.length, age(object, nowMs)];
  },
  "/Endpoints": endpointsCells,
  "/Event": events,
  "/Namespace": (object, nowMs) => [nameOf(object), stringAt(object, "status", "phase"), age(object, nowMs)],
  "/Node": nodes,
  "/Pod": podCells,
  "/Secret": (object, nowMs) => {
    const size = Object.keys(objectAt(object, "data") ?? {}).length;
    return [nameOf(object), stringAt(object, "type"), size, age(object, nowMs)];
  },
  "/Service": serviceCells,
  "/ServiceAccount": (object, nowMs) => [nameOf(object), age(object, nowMs)],
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": webhooks,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": webhooks,
  "apps/ControllerRevision": (object, nowMs) => {
    const owner = objectsAt(object, "metadata", "ownerReferences").find(
      (reference) => reference["controller"] === true,
    );
    const [group = "", version] = stringAt(owner, "apiVersion").split("/");
    const kind = stringAt(owner, "kind").toLowerCase() + (version === undefined ? "" : `.${group}`);
    return [
      nameOf(object),
      owner ? `${kind}/${stringAt(owner, "name")}` : "<none>",
      count(object, "revision"),
      age(object, nowMs),
    ];
  },
  "apps/Deployment": (object, nowMs) => [
    nameOf(object),
    `${count(object, "status", "readyReplicas")}/${count(object, "spec", "replicas")}`,
    count(object, "status", "updatedReplicas"),
    count(object, "status", "availableReplicas"),
    age(object, nowMs),
    ...templateCells(object),
  ],
  "apps/ReplicaSet": (object, nowMs) => [
    nameOf(object),
    count(object, "spec", "replicas"),
    count(object, "status", "replicas"),
    count(object, "status", "readyReplicas"),
    age(object, nowMs),
    ...templateCells(object),
  ],
  "autoscaling/HorizontalPodAutoscaler": autoscalerCells,
  "coordination.k8s.io/Lease": (object, nowMs) => [
    nameOf(object),
    stringAt(object, "spec", "holderIdentity"),
    age(object, nowMs),
  ],
  "discovery.k8s.io/EndpointSlice": endpointSliceCells,
  "events.k8s.io/Event": events,
  "policy/PodDisruptionBudget": (object, nowMs) => [
    nameOf(object),
    asText(at(object, "spec", "minAvailable")) || "N/A",
    asText(at(object, "spec", "maxUnavailable")) || "N/A",
    count(object, "status", "disruptionsAllowed"),
    age(object, nowMs),
  ],
  "rbac.authorization.k8s.io/ClusterRoleBinding": bindings,
  "rbac.authorization.k8s.io/RoleBinding": bindings,
};

export function cellsOf(group: string, kind: string): Cells {
  return CELLS[`${group}/${kind}`] ?? nameAndCreation;
}
