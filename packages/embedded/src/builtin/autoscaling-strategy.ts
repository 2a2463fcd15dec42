import type { Strategy } from "../registry/strategy.ts";
import type { Cause } from "../schema/cause.ts";
import type { JsonObject } from "../schema/json.ts";
import { forbidden, required } from "../schema/field-error.ts";
import { invalidValue, notNegative, oneOf } from "./causes.ts";
import { at, fill, numberAt, objectAt, objectsAt, stringAt } from "../schema/fields.ts";

export const autoscalerStrategy: Strategy = {
  setDefaults: (autoscaler, sent) => {
    const spec = objectAt(autoscaler, "spec") ?? {};
    fill(spec, { minReplicas: 1 });
    if (objectsAt(spec, "metrics").length === 0)
      spec["metrics"] = [
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
      ];
    const behavior = objectAt(spec, "behavior");
    if (behavior) defaultBehavior(behavior, objectAt(sent, "spec", "behavior") ?? {});
  },
  validate: (autoscaler) => {
    const spec = objectAt(autoscaler, "spec") ?? {};
    return [
      ...validateBounds(spec),
      ...validateTarget(objectAt(spec, "scaleTargetRef") ?? {}),
      ...objectsAt(spec, "metrics").flatMap((metric, index) => validateMetric(metric, `spec.metrics[${index}]`)),
      ...["scaleUp", "scaleDown"].flatMap((name) =>
        validateScaling(objectAt(spec, "behavior", name), `spec.behavior.${name}`),
      ),
    ];
  },
  validateStatus: ({ status }) =>
    ["currentReplicas", "desiredReplicas"].flatMap((name) => notNegative(`status.${name}`, at(status, name))),
};

const UP = {
  selectPolicy: "Max",
  stabilizationWindowSeconds: 0,
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};
const DOWN = { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] };

function defaultBehavior(behavior: JsonObject, sent: JsonObject): void {
  for (const [name, defaults] of Object.entries({ scaleUp: UP, scaleDown: DOWN })) {
    const rules = objectAt(behavior, name) ?? {};
    // None at all is something else than none given.
    if (Array.isArray(at(sent, name, "policies"))) fill(rules, { policies: [] });
    fill(rules, structuredClone(defaults));
    behavior[name] = rules;
  }
}

const WINDOW_SECONDS_MAX = 3600;
const PERIOD_SECONDS_MAX = 1800;

function validateScaling(rules: JsonObject | undefined, field: string): Cause[] {
  if (!rules) return [];
  const policies = objectsAt(rules, "policies");
  return [
    ...validateWindow(`${field}.stabilizationWindowSeconds`, numberAt(rules, "stabilizationWindowSeconds") ?? 0),
    ...oneOf(`${field}.selectPolicy`, rules["selectPolicy"], ["Disabled", "Max", "Min"]),
    ...(policies.length === 0 ? [required(`${field}.policies`, "must specify at least one Policy")] : []),
    ...policies.flatMap((policy, index) => validatePolicy(policy, `${field}.policies[${index}]`)),
  ];
}

function validateWindow(field: string, seconds: number): Cause[] {
  if (seconds < 0) return [invalidValue(field, seconds, "must be greater than or equal to zero")];
  return seconds > WINDOW_SECONDS_MAX
    ? [invalidValue(field, seconds, `must be less than or equal to ${WINDOW_SECONDS_MAX}`)]
    : [];
}

function validatePolicy(policy: JsonObject, field: string): Cause[] {
  const period = numberAt(policy, "periodSeconds") ?? 0;
  const causes = oneOf(`${field}.type`, policy["type"], ["Percent", "Pods"]);
  for (const name of ["value", "periodSeconds"])
    if ((numberAt(policy, name) ?? 0) <= 0)
      causes.push(invalidValue(`${field}.${name}`, policy[name], "must be greater than zero"));
  if (period > PERIOD_SECONDS_MAX)
    causes.push(invalidValue(`${field}.periodSeconds`, period, `must be less than or equal to ${PERIOD_SECONDS_MAX}`));
  return causes;
}

function validateBounds(spec: JsonObject): Cause[] {
  const [min, max] = [numberAt(spec, "minReplicas") ?? 1, numberAt(spec, "maxReplicas") ?? 0];
  const causes: Cause[] = [];
  if (min < 1) causes.push(invalidValue("spec.minReplicas", min, "must be greater than or equal to 1"));
  if (max < 1) causes.push(invalidValue("spec.maxReplicas", max, "must be greater than 0"));
  if (max < min) causes.push(invalidValue("spec.maxReplicas", max, "must be greater than or equal to `minReplicas`"));
  const canBeZero = objectsAt(spec, "metrics").some(({ type }) => type === "Object" || type === "External");
  if (min === 0 && !canBeZero)
    causes.push(
      forbidden(
        "spec.metrics",
        "must specify at least one Object or External metric to support scaling to zero replicas",
      ),
    );
  return causes;
}

function validateTarget(target: JsonObject): Cause[] {
  const isGroupless =
    !stringAt(target, "apiVersion").includes("/") && stringAt(target, "kind") !== "ReplicationController";
  const group = isGroupless
    ? [invalidValue("spec.scaleTargetRef.apiVersion", target["apiVersion"] ?? "", "apiVersion must specify API group")]
    : [];
  return [...missingInTarget(target), ...group];
}

function missingInTarget(target: JsonObject): Cause[] {
  return ["kind", "name"]
    .filter((key) => stringAt(target, key) === "")
    .map((key) => required(`spec.scaleTargetRef.${key}`));
}

const SOURCES = ["ContainerResource", "External", "Object", "Pods", "Resource"];

function validateMetric(metric: JsonObject, field: string): Cause[] {
  const type = stringAt(metric, "type");
  if (type === "") return [required(`${field}.type`, "must specify a metric source type")];
  const source = `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`;
  if (!SOURCES.includes(type)) return [];
  if (!objectAt(metric, source))
    return [required(`${field}.${source}`, "must populate information for the given metric source")];
  return validateResourceMetric(metric, field);
}

function validateResourceMetric(metric: JsonObject, field: string): Cause[] {
  const target = objectAt(metric, "resource", "target");
  if (!target) return [];
  const { averageUtilization, averageValue } = target;
  if (typeof averageUtilization === "number" && averageUtilization < 1)
    return [invalidValue(`${field}.resource.target.averageUtilization`, averageUtilization, "must be greater than 0")];
  return averageUtilization === undefined && averageValue === undefined
    ? [
        required(
          `${field}.resource.target.averageUtilization`,
          "must set either a target raw value or a target utilization",
        ),
      ]
    : [];
}
