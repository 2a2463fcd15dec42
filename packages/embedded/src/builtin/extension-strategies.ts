// The kinds that extend the server: CustomResourceDefinitions, webhook configurations, APIServices.
import type { Strategy } from "../registry/strategy.ts";
import type { Cause } from "../schema/cause.ts";
import { checkCrd } from "../crd-checks/check-crd.ts";
import { equalJson, type JsonObject } from "../schema/index.ts";
import { required } from "../schema/field-error.ts";
import { duplicate, invalidValue, notSupported } from "./causes.ts";
import { fill, numberAt, objectAt, objectsAt, stringAt, stringsAt } from "../schema/fields.ts";
import { isObject } from "../schema/json.ts";
import { asText } from "../codec/text.ts";

export const crdStrategy: Strategy = {
  isNewGeneration: (next, live) => !equalJson(next["spec"], live["spec"]),
  setDefaults: (crd) => {
    const spec = objectAt(crd, "spec") ?? {};
    const names = objectAt(spec, "names") ?? {};
    const kind = stringAt(names, "kind");
    if (stringAt(names, "singular") === "") names["singular"] = kind.toLowerCase();
    if (stringAt(names, "listKind") === "" && kind !== "") names["listKind"] = `${kind}List`;
    fill(spec, { conversion: { strategy: "None" } });
    const service = objectAt(spec, "conversion", "webhook", "clientConfig", "service");
    if (service) fill(service, { port: 443 });
  },
  prepareForCreate: (crd) => {
    const storage = objectsAt(crd, "spec", "versions").filter((version) => version["storage"] === true);
    crd["status"] = {
      conditions: null,
      acceptedNames: { plural: "", kind: "" },
      storedVersions: storage.map((version) => stringAt(version, "name")),
    };
  },
  prepareForUpdate: (next) => {
    const status = objectAt(next, "status") ?? {};
    const stored = stringsAt(status, "storedVersions");
    const storage = objectsAt(next, "spec", "versions").find((version) => version["storage"] === true);
    const name = stringAt(storage, "name");
    if (name !== "" && !stored.includes(name)) next["status"] = { ...status, storedVersions: [...stored, name] };
  },
  prepareForDelete: (crd, nowIso) => {
    const metadata = objectAt(crd, "metadata") ?? {};
    metadata["deletionTimestamp"] = nowIso;
    metadata["finalizers"] = [...stringsAt(metadata, "finalizers"), "customresourcecleanup.apiextensions.k8s.io"];
    const status = objectAt(crd, "status") ?? {};
    const terminating = {
      type: "Terminating",
      status: "True",
      lastTransitionTime: nowIso,
      reason: "InstanceDeletionPending",
      message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    };
    crd["status"] = { ...status, conditions: [...objectsAt(status, "conditions"), terminating] };
  },
  validate: (next, live) => checkCrd(next, live),
};

/** Webhook configurations of both kinds; mutating ones may be called again. */
export function webhookStrategy(isMutating: boolean): Strategy {
  return {
    isNewGeneration: (next, live) => !equalJson(next["webhooks"], live["webhooks"]),
    setDefaults: (configuration) => {
      for (const webhook of objectsAt(configuration, "webhooks")) defaultWebhook(webhook, isMutating);
    },
    validate: (configuration) => {
      const names = new Set<string>();
      return objectsAt(configuration, "webhooks").flatMap((webhook, index) => {
        const field = `webhooks[${index}]`;
        const causes = validateWebhook(webhook, field);
        const name = stringAt(webhook, "name");
        if (names.has(name)) causes.push(duplicate(`${field}.name`, name));
        names.add(name);
        return causes;
      });
    },
  };
}

function defaultWebhook(webhook: JsonObject, isMutating: boolean): void {
  fill(webhook, {
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
    ...(isMutating && { reinvocationPolicy: "Never" }),
  });
  for (const rule of objectsAt(webhook, "rules")) fill(rule, { scope: "*" });
  const service = objectAt(webhook, "clientConfig", "service");
  if (service) fill(service, { port: 443 });
}

function validateWebhook(webhook: JsonObject, field: string): Cause[] {
  const name = stringAt(webhook, "name");
  const seconds = numberAt(webhook, "timeoutSeconds") ?? 10;
  const causes: Cause[] = [];
  if (name === "") causes.push(required(`${field}.name`));
  else if (name.split(".").length < 3)
    causes.push(
      invalidValue(`${field}.name`, name, "should be a domain with at least three segments separated by dots"),
    );
  causes.push(...validateReviewVersions(webhook, field), ...validateSideEffects(webhook, field));
  if (seconds > 30 || seconds < 1)
    causes.push(invalidValue(`${field}.timeoutSeconds`, seconds, "the timeout value must be between 1 and 30 seconds"));
  return [...causes, ...validateClient(objectAt(webhook, "clientConfig") ?? {}, `${field}.clientConfig`)];
}

function validateSideEffects(webhook: JsonObject, field: string): Cause[] {
  const effects = webhook["sideEffects"];
  if (effects === undefined || effects === null)
    return [required(`${field}.sideEffects`, "must specify one of None, NoneOnDryRun")];
  const allowed = ["None", "NoneOnDryRun"];
  return allowed.includes(asText(effects)) ? [] : [notSupported(`${field}.sideEffects`, effects, allowed)];
}

function validateReviewVersions(webhook: JsonObject, field: string): Cause[] {
  const versions = stringsAt(webhook, "admissionReviewVersions");
  const at = `${field}.admissionReviewVersions`;
  if (versions.length === 0) return [required(at, "must specify one of v1, v1beta1")];
  return versions.some((version) => version === "v1" || version === "v1beta1")
    ? []
    : [invalidValue(at, versions, "must include at least one of v1, v1beta1")];
}

function validateClient(client: JsonObject, field: string): Cause[] {
  const [url, service] = [client["url"], client["service"]];
  if ((url === undefined) === !isObject(service)) return [required(field, "exactly one of url or service is required")];
  if (typeof url === "string" && !url.startsWith("https://"))
    return [
      invalidValue(
        `${field}.url`,
        url.split(":")[0] ?? "",
        "'https' is the only allowed URL scheme; desired format: https://host[/path]",
      ),
    ];
  return [];
}

export const apiServiceStrategy: Strategy = {
  setDefaults: (apiService) => {
    const service = objectAt(apiService, "spec", "service");
    if (service) fill(service, { port: 443 });
  },
};
