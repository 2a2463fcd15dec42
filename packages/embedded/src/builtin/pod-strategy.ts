import type { Strategy } from "../registry/strategy.ts";
import type { Cause } from "../schema/cause.ts";
import { equalJson, isObject, type JsonObject } from "../schema/json.ts";
import { asText } from "../codec/text.ts";
import { forbidden } from "../errors/api-error.ts";
import { at, fill, nameOf, numberAt, objectAt, objectsAt, stringAt } from "../schema/fields.ts";
import { forbidden as forbiddenField } from "../schema/field-error.ts";
import { invalidValue } from "./causes.ts";
import { defaultPodSpec } from "./pod-defaults.ts";
import { validatePodSpec } from "./pod-validation.ts";

export const podStrategy: Strategy = {
  setDefaults: (pod) => {
    const spec = objectAt(pod, "spec") ?? {};
    fill(spec, { enableServiceLinks: true });
    defaultPodSpec(spec);
    const status = objectAt(pod, "status") ?? {};
    const address = stringAt(status, "podIP") || stringAt(objectsAt(status, "podIPs")[0], "ip");
    if (address !== "") fill(status, { podIP: address, podIPs: [{ ip: address }] });
    for (const list of ["containers", "initContainers"])
      for (const container of objectsAt(spec, list)) requestWhatIsLimited(container);
  },
  prepareForCreate: (pod) => {
    const spec = objectAt(pod, "spec") ?? {};
    if ((numberAt(spec, "terminationGracePeriodSeconds") ?? 0) < 0) spec["terminationGracePeriodSeconds"] = 1;
    pod["status"] = { phase: "Pending", qosClass: qosClassOf(pod) };
  },
  admit: (pod, live) => {
    const spec = objectAt(pod, "spec") ?? {};
    if (live)
      fill(spec, { priority: at(live, "spec", "priority"), preemptionPolicy: at(live, "spec", "preemptionPolicy") });
    else fillPriority(pod, spec);
    tolerateLostNodes(spec);
  },
  prepareStatus: (next, live) => {
    const [to, owners] = [objectAt(next, "metadata") ?? {}, at(live, "metadata", "ownerReferences")];
    if (owners === undefined) delete to["ownerReferences"];
    else to["ownerReferences"] = owners;
  },
  isNewGeneration: (next, live) => !equalJson(next["spec"], live["spec"]),
  validate: (next, live) => [
    ...validatePodSpec(objectAt(next, "spec") ?? {}, "spec"),
    ...(live ? validatePodUpdate(next, live) : []),
  ],
  returnsDeletedObject: true,
  graceSeconds: (pod, requested) => {
    const hasEnded = ["Succeeded", "Failed"].includes(stringAt(pod, "status", "phase"));
    if (hasEnded || stringAt(pod, "spec", "nodeName") === "") return 0;
    return requested ?? numberAt(pod, "spec", "terminationGracePeriodSeconds") ?? 30;
  },
};

function requestWhatIsLimited(container: JsonObject): void {
  const limits = objectAt(container, "resources", "limits");
  const resources = objectAt(container, "resources");
  if (!limits || !resources) return;
  const requests = objectAt(resources, "requests") ?? {};
  fill(requests, limits);
  resources["requests"] = requests;
}

const PRIORITY = { priority: 0, preemptionPolicy: "PreemptLowerPriority" };

/** What follows from the priority class alone; there are none here, so that a class's name is taken as it is. */
function fillPriority(pod: JsonObject, spec: JsonObject): void {
  fill(spec, PRIORITY);
  if (spec["priorityClassName"]) return;
  for (const [field, computed] of Object.entries(PRIORITY))
    if (spec[field] !== computed) throw forbidden(PODS, nameOf(pod), priorityMessage(field, spec[field], computed));
}

const PODS = { group: "", plural: "pods" };

function priorityMessage(field: string, given: unknown, computed: unknown): string {
  const what = field === "priority" ? "integer value of priority" : "string value of PreemptionPolicy";
  return `the ${what} (${asText(given)}) must not be provided in pod spec; priority admission controller computed ${asText(computed)} from the given PriorityClass name`;
}

/** How long the pod outlives its node. */
function tolerateLostNodes(spec: JsonObject): void {
  const tolerations = objectsAt(spec, "tolerations");
  for (const key of ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"]) {
    const isTolerated = tolerations.some(
      (toleration) =>
        (toleration["key"] === key || (!toleration["key"] && toleration["operator"] === "Exists")) &&
        (toleration["effect"] === "NoExecute" || !toleration["effect"]),
    );
    if (!isTolerated) tolerations.push({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 });
  }
  spec["tolerations"] = tolerations;
}

function qosClassOf(pod: JsonObject): string {
  const containers = [...objectsAt(pod, "spec", "containers"), ...objectsAt(pod, "spec", "initContainers")];
  const all = containers.map((container) => ({
    requests: objectAt(container, "resources", "requests") ?? {},
    limits: objectAt(container, "resources", "limits") ?? {},
  }));
  const amounts = all.flatMap(({ requests, limits }) => [...Object.keys(requests), ...Object.keys(limits)]);
  if (!amounts.some((name) => name === "cpu" || name === "memory")) return "BestEffort";
  const isGuaranteed = all.every(({ requests, limits }) =>
    ["cpu", "memory"].every(
      (name) => limits[name] !== undefined && equalJson(requests[name] ?? limits[name], limits[name]),
    ),
  );
  return isGuaranteed ? "Guaranteed" : "Burstable";
}

const MAX_INT32 = 2 ** 31 - 1;
const MUTABLE_MESSAGE =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n";

function validatePodUpdate(next: JsonObject, live: JsonObject): Cause[] {
  for (const list of ["containers", "initContainers"])
    if (objectsAt(next, "spec", list).length !== objectsAt(live, "spec", list).length)
      return [forbiddenField(`spec.${list}`, "pod updates may not add or remove containers")];
  const deadline = deadlineCauses(next, live);
  if (deadline.some(({ isLast }) => isLast)) return deadline.map(({ cause }) => cause);
  const fixed = equalJson(withoutMutable(next), withoutMutable(live)) ? [] : [forbiddenField("spec", MUTABLE_MESSAGE)];
  return [...deadline.map(({ cause }) => cause), ...fixed];
}

const DEADLINE = "spec.activeDeadlineSeconds";

/** It may come, and come earlier. A wrong number ends the validation, a missing one does not. */
function deadlineCauses(next: JsonObject, live: JsonObject): { readonly cause: Cause; readonly isLast: boolean }[] {
  const [wanted, actual] = [next, live].map((pod) => numberAt(objectAt(pod, "spec"), "activeDeadlineSeconds"));
  if (wanted === undefined) {
    if (actual === undefined) return [];
    const problem = "must not update from a positive integer to nil value";
    return [{ cause: invalidValue(DEADLINE, undefined, problem), isLast: false }];
  }
  if (wanted < 0 || wanted > MAX_INT32) {
    const problem = `must be between 0 and ${MAX_INT32}, inclusive`;
    return [{ cause: invalidValue(DEADLINE, wanted, problem), isLast: true }];
  }
  if (actual === undefined || actual >= wanted) return [];
  return [{ cause: invalidValue(DEADLINE, wanted, "must be less than or equal to previous value"), isLast: true }];
}

function withoutMutable(pod: JsonObject): JsonObject {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, ...spec } = objectAt(pod, "spec") ?? {};
  const withoutImages = (list: unknown): unknown =>
    Array.isArray(list) ? list.map((item) => (isObject(item) ? { ...item, image: "" } : item)) : list;
  return {
    ...spec,
    containers: withoutImages(at(spec, "containers")),
    initContainers: withoutImages(at(spec, "initContainers")),
  };
}
