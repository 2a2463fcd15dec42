// The rules that hold for every object's metadata.
import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from "@chaski/kube";
import { invalidValue } from "./causes.ts";
import { objectsAt } from "../schema/fields.ts";
import type { Resource } from "../registry/resource.ts";
import type { NameRule } from "../registry/strategy.ts";
import type { Cause } from "../schema/cause.ts";
import { equalJson, isObject, type JsonObject, own } from "../schema/json.ts";
import { asText } from "../codec/text.ts";

const RULES: Readonly<Record<NameRule, (name: string) => readonly string[]>> = {
  subdomain: dns1123SubdomainProblems,
  label: dns1123LabelProblems,
  label1035: dns1035LabelProblems,
  path: (name) => {
    if (name === "." || name === "..") return [`may not be '${name}'`];
    return ["/", "%"].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
  },
};

export function checkMetadata(resource: Resource, object: JsonObject): Cause[] {
  const metadata = own(object, "metadata");
  if (!isObject(metadata)) return [];
  return [
    ...checkGenerateName(resource, metadata),
    ...checkName(resource, metadata),
    ...checkLabels(metadata),
    ...checkAnnotations(metadata),
    ...checkOwners(metadata),
    ...checkFinalizers(resource, metadata),
  ];
}

/** A prefix may end in a dash, since something follows it. */
function checkGenerateName({ strategy }: Resource, metadata: JsonObject): Cause[] {
  const prefix = asText(own(metadata, "generateName"));
  if (prefix === "") return [];
  const masked = prefix.length > 1 && prefix.endsWith("-") ? `${prefix.slice(0, -2)}a` : prefix;
  return RULES[strategy.nameRule ?? "subdomain"](masked).map((problem) =>
    invalidValue("metadata.generateName", prefix, problem),
  );
}

function checkOwners(metadata: JsonObject): Cause[] {
  const owners = objectsAt(metadata, "ownerReferences");
  const field = "metadata.ownerReferences";
  const empty = owners.flatMap((owner) =>
    ["apiVersion", "kind", "name", "uid"]
      .filter((key) => asText(own(owner, key)) === "")
      .map((key) => invalidValue(`${field}.${key}`, "", "must not be empty")),
  );
  const controllers = owners.filter((owner) => owner["controller"] === true);
  if (controllers.length < 2) return empty;
  const names = controllers.map((owner) => `${asText(owner["kind"])}/${asText(owner["name"])}`);
  const problem = `Only one reference can have Controller set to true. Found "true" in references for ${names.join(" and ")}`;
  return [...empty, invalidValue(field, owners, problem)];
}

const STANDARD_FINALIZERS = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

/** Groups whose rules on metadata are those of custom resources. */
const LENIENT_GROUPS = new Set(["coordination.k8s.io", "policy"]);

function checkFinalizers({ isCustom, group }: Resource, metadata: JsonObject): Cause[] {
  const finalizers = finalizersOf(metadata);
  return finalizers.flatMap((finalizer, index) => {
    const field = `metadata.finalizers[${index}]`;
    const problems = qualifiedNameProblems(finalizer).map((problem) =>
      invalidValue("metadata.finalizers", finalizer, problem),
    );
    const isKnown = finalizer.includes("/") || STANDARD_FINALIZERS.has(finalizer) || finalizer.includes(".");
    if (!isKnown && !isCustom && !LENIENT_GROUPS.has(group))
      problems.push(
        invalidValue(field, finalizer, "name is neither a standard finalizer name nor is it fully qualified"),
      );
    return problems;
  });
}

function checkName({ strategy }: Resource, metadata: JsonObject): Cause[] {
  const name = asText(own(metadata, "name"));
  if (name === "")
    return [
      {
        field: "metadata.name",
        reason: "FieldValueRequired",
        message: "Required value: name or generateName is required",
      },
    ];
  return RULES[strategy.nameRule ?? "subdomain"](name).map((problem) => invalidValue("metadata.name", name, problem));
}

export function labelProblems(labels: unknown, field: string): Cause[] {
  if (!isObject(labels)) return [];
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => invalidValue(field, key, problem)),
    ...labelValueProblems(asText(value)).map((problem) => invalidValue(field, value, problem)),
  ]);
}

function checkLabels(metadata: JsonObject): Cause[] {
  return labelProblems(own(metadata, "labels"), "metadata.labels");
}

const ANNOTATIONS_BYTES_MAX = 256 * 1024;

function checkAnnotations(metadata: JsonObject): Cause[] {
  const annotations = own(metadata, "annotations");
  if (!isObject(annotations)) return [];
  const field = "metadata.annotations";
  const problems = Object.keys(annotations).flatMap((key) =>
    qualifiedNameProblems(key.toLowerCase()).map((problem) => invalidValue(field, key, problem)),
  );
  const bytes = Object.entries(annotations).reduce((sum, [key, value]) => sum + key.length + `${value}`.length, 0);
  if (bytes <= ANNOTATIONS_BYTES_MAX) return problems;
  const message = `Too long: may not be more than ${ANNOTATIONS_BYTES_MAX} bytes`;
  return [...problems, { field, reason: "FieldValueTooLong", message }];
}

const IMMUTABLE = ["name", "namespace", "uid", "creationTimestamp"];

export function checkMetadataUpdate(next: JsonObject, live: JsonObject): Cause[] {
  const [after, before] = [own(next, "metadata") as JsonObject, own(live, "metadata") as JsonObject];
  const changed = IMMUTABLE.filter((field) => !equalJson(own(after, field), own(before, field)));
  return [
    ...changed.map((field) => invalidValue(`metadata.${field}`, own(after, field), "field is immutable")),
    ...checkFinalizersWhileDeleted(after, before),
  ];
}

/** Once an object is being deleted, finalizers may only go. */
function checkFinalizersWhileDeleted(after: JsonObject, before: JsonObject): Cause[] {
  if (own(before, "deletionTimestamp") === undefined) return [];
  const [now, earlier] = [finalizersOf(after), finalizersOf(before)];
  const added = now.filter((finalizer) => !earlier.includes(finalizer));
  if (added.length === 0) return [];
  const list = `[]string{${added.map((finalizer) => JSON.stringify(finalizer)).join(", ")}}`;
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
  return [{ field: "metadata.finalizers", reason: "FieldValueForbidden", message }];
}

function finalizersOf(metadata: JsonObject): readonly string[] {
  const finalizers = own(metadata, "finalizers");
  return Array.isArray(finalizers) ? (finalizers as string[]) : [];
}
