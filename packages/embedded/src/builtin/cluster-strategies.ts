// The kinds that hold a cluster together: namespaces, accounts, roles, leases, budgets, revisions, endpoints.
import { qualifiedNameProblems } from "@chaski/kube";
import type { Strategy } from "../registry/strategy.ts";
import type { Cause } from "../schema/cause.ts";
import { equalJson, type JsonObject } from "../schema/json.ts";
import { required } from "../schema/field-error.ts";
import { immutable, invalidValue, notNegative, notSupported } from "./causes.ts";
import { at, fill, numberAt, objectAt, objectsAt, stringAt, stringsAt } from "../schema/fields.ts";
import { validateLabelSelector } from "./label-selectors.ts";
import { countOrPercent } from "./workload-strategies.ts";

export const namespaceStrategy: Strategy = {
  setDefaults: (namespace) => {
    const metadata = objectAt(namespace, "metadata") ?? {};
    const name = stringAt(metadata, "name");
    if (name !== "") metadata["labels"] = { ...objectAt(metadata, "labels"), "kubernetes.io/metadata.name": name };
  },
  prepareForCreate: (namespace) => {
    const spec = objectAt(namespace, "spec") ?? {};
    const finalizers = stringsAt(spec, "finalizers");
    namespace["spec"] = {
      ...spec,
      finalizers: finalizers.includes("kubernetes") ? finalizers : [...finalizers, "kubernetes"],
    };
    namespace["status"] = { phase: "Active" };
  },
  prepareForDelete: (namespace, nowIso) => {
    const metadata = objectAt(namespace, "metadata") ?? {};
    metadata["deletionTimestamp"] = nowIso;
    namespace["status"] = { ...objectAt(namespace, "status"), phase: "Terminating" };
  },
  prepareForUpdate: (next, live) => {
    next["spec"] = { ...objectAt(next, "spec"), ...objectAt(live, "spec") };
  },
  nameRule: "label",
};

export const serviceAccountStrategy: Strategy = { returnsDeletedObject: true };

export const nodeStrategy: Strategy = {
  keepsStatusOnCreate: true,
  admit: (node, live) => {
    if (live) return;
    const spec = objectAt(node, "spec") ?? {};
    const key = "node.kubernetes.io/not-ready";
    const taints = objectsAt(spec, "taints");
    if (!taints.some((taint) => taint["key"] === key)) spec["taints"] = [...taints, { key, effect: "NoSchedule" }];
  },
  setDefaults: (node) => {
    const status = objectAt(node, "status") ?? {};
    if (status["capacity"] !== undefined) fill(status, { allocatable: status["capacity"] });
  },
};

export const leaseStrategy: Strategy = {
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
  validate: (lease) => {
    const spec = objectAt(lease, "spec") ?? {};
    const seconds = numberAt(spec, "leaseDurationSeconds");
    const transitions = numberAt(spec, "leaseTransitions") ?? 0;
    const causes: Cause[] = [];
    if (seconds !== undefined && seconds <= 0)
      causes.push(invalidValue("spec.leaseDurationSeconds", seconds, "must be greater than 0"));
    if (transitions < 0)
      causes.push(invalidValue("spec.leaseTransitions", transitions, "must be greater than or equal to 0"));
    return causes;
  },
};

export const budgetStrategy: Strategy = {
  allowsUnconditionalUpdate: false,
  nameRule: "path",
  checksMetadataLast: true,
  isNewGeneration: (next, live) => !equalJson(next["spec"], live["spec"]),
  validate: (budget) => {
    const spec = objectAt(budget, "spec") ?? {};
    const [min, max] = [spec["minAvailable"], spec["maxUnavailable"]];
    const causes = [...share("spec.minAvailable", min), ...share("spec.maxUnavailable", max)];
    if (min !== undefined && max !== undefined)
      causes.unshift(invalidValue("spec", spec, "minAvailable and maxUnavailable cannot be both set"));
    return [...causes, ...validateLabelSelector(objectAt(spec, "selector") ?? {}, "spec.selector")];
  },
  validateStatus: ({ status }) =>
    ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"].flatMap((name) =>
      notNegative(`status.${name}`, at(status, name)),
    ),
};

function share(field: string, value: unknown): Cause[] {
  const isTooMuch = typeof value === "string" && /^\d+%$/.test(value) && Number.parseInt(value, 10) > 100;
  return isTooMuch ? [invalidValue(field, value, "must not be greater than 100%")] : countOrPercent(field, value);
}

const RBAC = "rbac.authorization.k8s.io";

export const roleStrategy: Strategy = {
  nameRule: "path",
  allowsCreateOnUpdate: true,
  prepareForCreate: storeNoRules,
  prepareForUpdate: storeNoRules,
  validate: (role) => objectsAt(role, "rules").flatMap((rule, index) => validateRule(rule, `rules[${index}]`, role)),
};

/** An empty list comes back from the real server's storage as none. */
function storeNoRules(role: JsonObject): void {
  if (objectsAt(role, "rules").length === 0) role["rules"] = null;
}

function validateRule(rule: JsonObject, field: string, role: JsonObject): Cause[] {
  const causes =
    stringsAt(rule, "verbs").length === 0 ? [required(`${field}.verbs`, "verbs must contain at least one value")] : [];
  if (stringsAt(rule, "nonResourceURLs").length > 0)
    return role["kind"] === "Role"
      ? [
          ...causes,
          invalidValue(
            `${field}.nonResourceURLs`,
            rule["nonResourceURLs"],
            "namespaced rules cannot apply to non-resource URLs",
          ),
        ]
      : causes;
  if (stringsAt(rule, "apiGroups").length === 0)
    causes.push(required(`${field}.apiGroups`, "resource rules must supply at least one api group"));
  if (stringsAt(rule, "resources").length === 0)
    causes.push(required(`${field}.resources`, "resource rules must supply at least one resource"));
  return causes;
}

export const roleBindingStrategy: Strategy = {
  nameRule: "path",
  allowsCreateOnUpdate: true,
  setDefaults: (binding) => {
    const ref = objectAt(binding, "roleRef") ?? {};
    if (stringAt(ref, "apiGroup") === "") ref["apiGroup"] = RBAC;
    for (const subject of objectsAt(binding, "subjects"))
      if (subject["kind"] !== "ServiceAccount") fill(subject, { apiGroup: RBAC });
  },
  validate: (binding, live) => {
    const ref = objectAt(binding, "roleRef") ?? {};
    const kinds = binding["kind"] === "ClusterRoleBinding" ? ["ClusterRole"] : ["ClusterRole", "Role"];
    const causes: Cause[] = [];
    if (live && !equalJson(live["roleRef"], ref)) causes.push(invalidValue("roleRef", ref, "cannot change roleRef"));
    if (ref["apiGroup"] !== RBAC) causes.push(notSupported("roleRef.apiGroup", ref["apiGroup"], [RBAC]));
    if (!kinds.includes(stringAt(ref, "kind"))) causes.push(notSupported("roleRef.kind", ref["kind"], kinds));
    if (stringAt(ref, "name") === "") causes.push(required("roleRef.name"));
    return [
      ...causes,
      ...objectsAt(binding, "subjects").flatMap((subject, index) =>
        validateSubject(subject, `subjects[${index}]`, binding["kind"] === "ClusterRoleBinding"),
      ),
    ];
  },
};

function validateSubject(subject: JsonObject, field: string, needsNamespace: boolean): Cause[] {
  const causes = stringAt(subject, "name") === "" ? [required(`${field}.name`)] : [];
  const kinds = ["Group", "ServiceAccount", "User"];
  if (!kinds.includes(stringAt(subject, "kind")))
    return [...causes, notSupported(`${field}.kind`, subject["kind"], kinds)];
  if (needsNamespace && subject["kind"] === "ServiceAccount" && stringAt(subject, "namespace") === "")
    causes.push(required(`${field}.namespace`));
  return causes;
}

export const controllerRevisionStrategy: Strategy = {
  validate: (next, live) => [
    ...notNegative("revision", next["revision"]),
    ...(next["data"] === undefined || next["data"] === null ? [required("data", "data is mandatory")] : []),
    ...(live && !equalJson(live["data"], next["data"]) ? [immutable("data", next["data"])] : []),
  ],
};

export const endpointSliceStrategy: Strategy = {
  isNewGeneration: (next, live) =>
    !equalJson(next["endpoints"], live["endpoints"]) || !equalJson(next["ports"], live["ports"]),
  setDefaults: (slice) => {
    for (const port of objectsAt(slice, "ports")) fill(port, { name: "", protocol: "TCP" });
  },
  validate: (slice, live) => {
    const type = stringAt(slice, "addressType");
    if (type === "") return [required("addressType")];
    const types = ["FQDN", "IPv4", "IPv6"];
    const causes = types.includes(type) ? [] : [notSupported("addressType", type, types)];
    return live && live["addressType"] !== type ? [...causes, immutable("addressType", type)] : causes;
  },
};

export const endpointsStrategy: Strategy = {
  allowsCreateOnUpdate: true,
  setDefaults: (endpoints) => {
    for (const subset of objectsAt(endpoints, "subsets"))
      for (const port of objectsAt(subset, "ports")) fill(port, { protocol: "TCP" });
  },
};

export const eventStrategy: Strategy = {
  allowsCreateOnUpdate: true,
  validate: (event) => {
    const regarding = at(event, "involvedObject", "namespace") ?? at(event, "regarding", "namespace") ?? "";
    const namespace = stringAt(event, "metadata", "namespace");
    const isRight = regarding === namespace || (regarding === "" && namespace === "default");
    if (!isRight) return [invalidValue("involvedObject.namespace", regarding, "does not match event.namespace")];
    return isModern(event) ? validateModernEvent(event) : [];
  },
};

/** Events with an `eventTime` follow the stricter rules of events.k8s.io. */
function isModern(event: JsonObject): boolean {
  return event["apiVersion"] === "events.k8s.io/v1" && typeof event["eventTime"] === "string";
}

function validateModernEvent(event: JsonObject): Cause[] {
  const controller = stringAt(event, "reportingController");
  const missing = ["reportingController", "reportingInstance", "action", "reason"].filter(
    (key) => stringAt(event, key) === "",
  );
  const types = ["Normal", "Warning"];
  return [
    ...missing.map((key) => required(key)),
    ...qualifiedNameProblems(controller).map((problem) => invalidValue("reportingController", controller, problem)),
    ...(types.includes(stringAt(event, "type"))
      ? []
      : [invalidValue("type", stringAt(event, "type"), "has invalid value: ")]),
  ];
}
