import type { Cause } from "../schema/cause.ts";
import { checkDns1035Label, checkSubdomain } from "./check-names.ts";
import { listIn } from "./check-structural.ts";
import { checkColumns, checkSchema, checkSelectableFields, checkSubresources } from "./check-version.ts";
import { forbidden, invalid, notSupported, required } from "../schema/field-error.ts";
import { equalJson, isObject, type JsonObject, own } from "../schema/json.ts";

/** What the server has against a CustomResourceDefinition, with its defaults filled in (names.singular, listKind). */
export function checkCrd(crd: JsonObject, previous?: JsonObject): Cause[] {
  const spec = part(crd, "spec");
  return [
    ...checkOwnName(crd, spec),
    ...checkGroup(spec),
    ...checkVersions(spec),
    ...checkNames(part(spec, "names")),
    ...checkShared(spec),
    ...checkConversion(spec["conversion"]),
    ...(previous === undefined ? [] : checkImmutable(spec, part(previous, "spec"))),
    ...checkApproval(crd, previous),
    ...checkPreserving(spec, previous),
  ];
}

function part(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}

function text(object: JsonObject, key: string): string {
  const value = own(object, key);
  return typeof value === "string" ? value : "";
}

function checkOwnName(crd: JsonObject, spec: JsonObject): Cause[] {
  const name = text(part(crd, "metadata"), "name");
  if (name === "") return [required("metadata.name", "name or generateName is required")];
  const problems = checkSubdomain(name);
  if (name !== `${text(part(spec, "names"), "plural")}.${text(spec, "group")}`) {
    problems.push(`must be spec.names.plural+"."+spec.group`);
  }
  return problems.map((problem) => invalid("metadata.name", name, problem));
}

function checkGroup(spec: JsonObject): Cause[] {
  const group = text(spec, "group");
  const scope = text(spec, "scope");
  const causes: Cause[] = [];
  const problems = checkSubdomain(group);
  if (group === "") causes.push(required("spec.group"));
  else if (problems.length > 0) causes.push(invalid("spec.group", group, problems.join(",")));
  else if (!group.includes(".")) causes.push(invalid("spec.group", group, "should be a domain with at least one dot"));
  if (scope === "") causes.push(required("spec.scope"));
  else if (!["Cluster", "Namespaced"].includes(scope)) {
    causes.push(notSupported("spec.scope", scope, ["Cluster", "Namespaced"]));
  }
  return causes;
}

function checkVersions(spec: JsonObject): Cause[] {
  const versions = listIn(spec["versions"]);
  const causes = versions.flatMap((version, i) => checkVersion(version, `spec.versions[${i}]`, isShared(versions)));
  const names = versions.map((version) => text(version, "name"));
  const [first = ""] = names;
  const problems = checkDns1035Label(first);
  if (first !== "" && problems.length > 0) causes.push(invalid("spec.version", first, problems.join(",")));
  if (new Set(names).size < names.length) {
    causes.push(invalid("spec.versions", versions, "must contain unique version names"));
  }
  if (versions.filter((version) => version["storage"] === true).length !== 1) {
    causes.push(invalid("spec.versions", versions, "must have exactly one version marked as storage version"));
  }
  return causes;
}

interface Sharing {
  readonly schema: boolean;
  readonly subresources: boolean;
  readonly additionalPrinterColumns: boolean;
  readonly selectableFields: boolean;
}

/** What all versions have alike is reported once, as a part of the spec. */
function isShared(versions: readonly JsonObject[]): Sharing {
  const alike = (key: string) => {
    const first = versions[0]?.[key];
    const isEmpty = first === undefined || (Array.isArray(first) && first.length === 0);
    return !isEmpty && versions.every((version) => equalJson(version[key], first));
  };
  return {
    schema: alike("schema"),
    subresources: alike("subresources"),
    additionalPrinterColumns: alike("additionalPrinterColumns"),
    selectableFields: alike("selectableFields"),
  };
}

function checkVersion(version: JsonObject, path: string, shared: Sharing): Cause[] {
  const name = text(version, "name");
  const problems = checkDns1035Label(name);
  const causes = problems.length > 0 ? [invalid(`${path}.name`, name, problems.join(","))] : [];
  const schema = part(version, "schema")["openAPIV3Schema"];
  if (!isObject(schema)) causes.unshift(required(`${path}.schema.openAPIV3Schema`));
  causes.push(...checkDeprecation(version, path));
  const hasStatus = isObject(part(version, "subresources")["status"]);
  if (isObject(schema) && !shared.schema) causes.push(...checkSchema(schema, `${path}.schema`, hasStatus));
  if (!shared.subresources) causes.push(...checkSubresources(version, `${path}.subresources`));
  if (!shared.additionalPrinterColumns) causes.push(...checkColumns(version, `${path}.additionalPrinterColumns`));
  if (!shared.selectableFields) causes.push(...checkOwnFields(version, path, shared.schema ? undefined : schema));
  return causes;
}

function checkOwnFields(version: JsonObject, path: string, schema: unknown): Cause[] {
  if (listIn(version["selectableFields"]).length === 0) return [];
  const at = `${path}.selectableFields`;
  if (isObject(schema)) return checkSelectableFields(version, schema, at);
  return [invalid(at, "", "may only be set when `version.schema.openAPIV3Schema` is not included")];
}

function checkDeprecation(version: JsonObject, path: string): Cause[] {
  const warning = version["deprecationWarning"];
  if (warning === undefined) return [];
  const at = `${path}.deprecationWarning`;
  if (version["deprecated"] !== true) return [invalid(at, warning, "can only be set for deprecated versions")];
  if (warning === "") return [invalid(at, warning, "must not be an empty string")];
  return typeof warning === "string" && warning.length > 256
    ? [invalid(at, warning, "must be <= 256 characters long")]
    : [];
}

function checkShared(spec: JsonObject): Cause[] {
  const versions = listIn(spec["versions"]);
  const [first] = versions;
  if (first === undefined) return [];
  const shared = isShared(versions);
  const schema = part(first, "schema")["openAPIV3Schema"];
  const hasStatus = versions.some((version) => isObject(part(version, "subresources")["status"]));
  return [
    ...(shared.schema && isObject(schema) ? checkSchema(schema, "spec.validation", hasStatus) : []),
    ...(shared.subresources ? checkSubresources(first, "spec.subresources") : []),
    ...(shared.additionalPrinterColumns ? checkColumns(first, "spec.additionalPrinterColumns") : []),
    ...(shared.selectableFields ? checkSharedFields(first, schema, shared.schema) : []),
  ];
}

function checkSharedFields(version: JsonObject, schema: unknown, isSchemaShared: boolean): Cause[] {
  const path = "spec.selectableFields";
  if (isSchemaShared && isObject(schema)) return checkSelectableFields(version, schema, path);
  return [invalid(path, "", "may only be set when validations.schema is included")];
}

function checkNames(names: JsonObject): Cause[] {
  const keys = ["plural", "singular", "kind", "listKind"];
  const causes = keys.filter((key) => text(names, key) === "").map((key) => required(`spec.names.${key}`));
  for (const key of keys) {
    const name = text(names, key);
    const isKind = key === "kind" || key === "listKind";
    const problems = checkDns1035Label(isKind ? name.toLowerCase() : name);
    if (name === "" || problems.length === 0) continue;
    const prefix = isKind ? "may have mixed case, but should otherwise match: " : "";
    causes.push(invalid(`spec.names.${key}`, name, prefix + problems.join(",")));
  }
  causes.push(...checkNameList(names, "shortNames"));
  if (text(names, "kind") !== "" && text(names, "kind") === text(names, "listKind")) {
    causes.push(invalid("spec.names.listKind", text(names, "listKind"), "kind and listKind may not be the same"));
  }
  return [...causes, ...checkNameList(names, "categories")];
}

function checkNameList(names: JsonObject, key: string): Cause[] {
  const list = Array.isArray(names[key]) ? names[key] : [];
  return list.flatMap((name: unknown, i) => {
    const problems = checkDns1035Label(typeof name === "string" ? name : "");
    return problems.length === 0 ? [] : [invalid(`spec.names.${key}[${i}]`, name, problems.join(","))];
  });
}

function checkConversion(conversion: unknown): Cause[] {
  if (!isObject(conversion)) return [];
  const path = "spec.conversion";
  const strategy = text(conversion, "strategy");
  const webhook = part(conversion, "webhook");
  if (strategy === "") return [required(`${path}.strategy`)];
  if (strategy === "Webhook") return checkConversionWebhook(webhook, path);
  const causes = strategy === "None" ? [] : [notSupported(`${path}.strategy`, strategy, ["None", "Webhook"])];
  const detail = "should not be set when strategy is not set to Webhook";
  if (webhook["clientConfig"] !== undefined) causes.push(forbidden(`${path}.webhookClientConfig`, detail));
  if (webhook["conversionReviewVersions"] !== undefined) {
    causes.push(forbidden(`${path}.conversionReviewVersions`, detail));
  }
  return causes;
}

function checkConversionWebhook(webhook: JsonObject, path: string): Cause[] {
  const config = webhook["clientConfig"];
  const at = `${path}.webhookClientConfig`;
  const causes: Cause[] = [];
  if (!isObject(config)) causes.push(required(at, "required when strategy is set to Webhook"));
  else if ((config["url"] === undefined) === (config["service"] === undefined)) {
    causes.push(required(at, "exactly one of url or service is required"));
  }
  const versions = webhook["conversionReviewVersions"];
  if (!Array.isArray(versions) || versions.length === 0) causes.push(required(`${path}.conversionReviewVersions`));
  else if (!versions.includes("v1") && !versions.includes("v1beta1")) {
    causes.push(invalid(`${path}.conversionReviewVersions`, versions, "must include at least one of v1, v1beta1"));
  }
  return causes;
}

function checkImmutable(spec: JsonObject, previous: JsonObject): Cause[] {
  const fields: [string, unknown, unknown][] = [
    ["spec.scope", spec["scope"], previous["scope"]],
    ["spec.names.kind", part(spec, "names")["kind"], part(previous, "names")["kind"]],
    ["spec.group", spec["group"], previous["group"]],
    ["spec.names.plural", part(spec, "names")["plural"], part(previous, "names")["plural"]],
  ];
  return fields
    .filter(([, now, before]) => now !== before)
    .map(([field, now]) => invalid(field, now, "field is immutable"));
}

/** Groups of Kubernetes' own need its approval. */
function checkApproval(crd: JsonObject, previous: JsonObject | undefined): Cause[] {
  const group = text(part(crd, "spec"), "group");
  if (previous !== undefined || !/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return [];
  const annotation = "api-approved.kubernetes.io";
  const approval = text(part(part(crd, "metadata"), "annotations"), annotation);
  const field = `metadata.annotations[${annotation}]`;
  if (approval === "") {
    const detail = `protected groups must have approval annotation "${annotation}", see https://github.com/kubernetes/enhancements/pull/1111`;
    return [required(field, detail)];
  }
  if (approval.startsWith("unapproved") || URL.canParse(approval)) return [];
  const detail = `protected groups must have approval annotation "${annotation}" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111`;
  return [invalid(field, approval, detail)];
}

function checkPreserving(spec: JsonObject, previous: JsonObject | undefined): Cause[] {
  if (spec["preserveUnknownFields"] !== true) return [];
  if (previous !== undefined && part(previous, "spec")["preserveUnknownFields"] === true) return [];
  const detail =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [invalid("spec.preserveUnknownFields", true, detail)];
}
