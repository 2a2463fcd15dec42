// Deployments and ReplicaSets.
import type { Strategy } from "../registry/strategy.ts";
import type { Cause } from "../schema/cause.ts";
import { equalJson, type JsonObject } from "../schema/json.ts";
import { forbidden, required } from "../schema/field-error.ts";
import { immutable, invalidValue, notNegative, notSupported } from "./causes.ts";
import { at, fill, numberAt, objectAt, stringAt } from "../schema/fields.ts";
import { isEmptySelector, selects, validateLabelSelector } from "./label-selectors.ts";
import { labelProblems } from "./metadata-validation.ts";
import { defaultPodSpec } from "./pod-defaults.ts";
import { validateTemplate } from "./pod-validation.ts";
import { asText } from "../codec/text.ts";

export const deploymentStrategy: Strategy = {
  setDefaults: (deployment) => {
    const spec = objectAt(deployment, "spec") ?? {};
    fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
    const strategy = objectAt(spec, "strategy") ?? {};
    fill(strategy, { type: "RollingUpdate" });
    if (strategy["type"] === "RollingUpdate") fill(strategy, { rollingUpdate: {} });
    const rolling = objectAt(strategy, "rollingUpdate");
    if (rolling && strategy["type"] === "RollingUpdate") fill(rolling, { maxUnavailable: "25%", maxSurge: "25%" });
    defaultPodSpec(objectAt(spec, "template", "spec") ?? {});
  },
  isNewGeneration: (next, live) =>
    !equalJson(next["spec"], live["spec"]) ||
    !equalJson(at(next, "metadata", "annotations"), at(live, "metadata", "annotations")),
  prepareStatus: (next, live) => {
    keepLabels(next, live);
  },
  validate: (next, live) => [
    ...validateWorkload(next, live),
    ...validateDeploymentStrategy(objectAt(next, "spec", "strategy") ?? {}),
    ...notNegative("spec.revisionHistoryLimit", at(next, "spec", "revisionHistoryLimit")),
    ...validateDeadline(objectAt(next, "spec") ?? {}),
  ],
  validateStatus: ({ status }) => validateCounts(objectAt(status) ?? {}, "updatedReplicas"),
};

export const replicaSetStrategy: Strategy = {
  setDefaults: (replicaSet) => {
    const spec = objectAt(replicaSet, "spec") ?? {};
    fill(spec, { replicas: 1 });
    defaultPodSpec(objectAt(spec, "template", "spec") ?? {});
  },
  isNewGeneration: (next, live) => !equalJson(next["spec"], live["spec"]),
  validate: validateWorkload,
  validateStatus: ({ status }) => validateCounts(objectAt(status) ?? {}, "fullyLabeledReplicas"),
};

/** No part is more than the whole, and what is available is ready. */
function validateCounts(status: JsonObject, own: string): Cause[] {
  const count = (name: string): number => numberAt(status, name) ?? 0;
  const parts = [own, "readyReplicas", "availableReplicas"];
  const tooMany = parts
    .filter((name) => count(name) > count("replicas"))
    .map((name) => invalidValue(`status.${name}`, count(name), "cannot be greater than status.replicas"));
  if (count("availableReplicas") > count("readyReplicas"))
    tooMany.push(
      invalidValue("status.availableReplicas", count("availableReplicas"), "cannot be greater than readyReplicas"),
    );
  return [
    ...[...parts, "replicas", "unavailableReplicas", "observedGeneration", "collisionCount"].flatMap((name) =>
      notNegative(`status.${name}`, status[name]),
    ),
    ...tooMany,
  ];
}

function keepLabels(next: JsonObject, live: JsonObject): void {
  const [to, from] = [objectAt(next, "metadata") ?? {}, objectAt(live, "metadata", "labels")];
  if (from) to["labels"] = from;
  else delete to["labels"];
}

function validateWorkload(next: JsonObject, live: JsonObject | undefined): Cause[] {
  const spec = objectAt(next, "spec") ?? {};
  const isSelectorChanged = live !== undefined && !equalJson(at(spec, "selector"), at(live, "spec", "selector"));
  return [
    ...notNegative("spec.replicas", spec["replicas"]),
    ...notNegative("spec.minReadySeconds", spec["minReadySeconds"]),
    ...validateSelector(spec),
    ...labelProblems(at(spec, "template", "metadata", "labels"), "spec.template.labels"),
    ...validateTemplate(next),
    ...(isSelectorChanged ? [immutable("spec.selector", spec["selector"])] : []),
  ];
}

function validateSelector(spec: JsonObject): Cause[] {
  const selector = objectAt(spec, "selector");
  if (!selector) return [required("spec.selector"), mismatch(spec)];
  const problems = validateLabelSelector(selector, "spec.selector");
  if (problems.length > 0) return [...problems, invalidValue("spec.selector", selector, "invalid label selector")];
  if (isEmptySelector(selector))
    return [invalidValue("spec.selector", selector, "empty selector is invalid for deployment")];
  return selects(selector, objectAt(spec, "template", "metadata", "labels") ?? {}) ? [] : [mismatch(spec)];
}

function mismatch(spec: JsonObject): Cause {
  const labels = at(spec, "template", "metadata", "labels");
  return invalidValue("spec.template.metadata.labels", labels, "`selector` does not match template `labels`");
}

function validateDeploymentStrategy(strategy: JsonObject): Cause[] {
  const type = stringAt(strategy, "type");
  const rolling = objectAt(strategy, "rollingUpdate");
  if (type === "Recreate")
    return rolling
      ? [forbidden("spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'")]
      : [];
  if (type !== "RollingUpdate") return [notSupported("spec.strategy", strategy, ["Recreate", "RollingUpdate"])];
  return rolling ? validateRolling(rolling) : [];
}

function validateRolling(rolling: JsonObject): Cause[] {
  const field = "spec.strategy.rollingUpdate";
  const problems = ["maxUnavailable", "maxSurge"].flatMap((name) => countOrPercent(`${field}.${name}`, rolling[name]));
  if (isZero(rolling["maxUnavailable"]) && isZero(rolling["maxSurge"]))
    problems.push(
      invalidValue(`${field}.maxUnavailable`, rolling["maxUnavailable"], "may not be 0 when `maxSurge` is 0"),
    );
  const percent = /^(\d+)%$/.exec(asText(rolling["maxUnavailable"]))?.[1];
  if (Number(percent ?? 0) > 100)
    problems.push(invalidValue(`${field}.maxUnavailable`, rolling["maxUnavailable"], "must not be greater than 100%"));
  return problems;
}

export function countOrPercent(field: string, value: unknown): Cause[] {
  if (typeof value === "number") return notNegative(field, value);
  if (typeof value === "string" && !/^[0-9]+%$/.test(value))
    return [
      invalidValue(
        field,
        value,
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ),
    ];
  return [];
}

function isZero(value: unknown): boolean {
  return value === 0 || value === "0%";
}

function validateDeadline(spec: JsonObject): Cause[] {
  const deadline = numberAt(spec, "progressDeadlineSeconds") ?? 0;
  const field = "spec.progressDeadlineSeconds";
  const problems = notNegative(field, deadline);
  return deadline <= (numberAt(spec, "minReadySeconds") ?? 0)
    ? [...problems, invalidValue(field, deadline, "must be greater than minReadySeconds")]
    : problems;
}
