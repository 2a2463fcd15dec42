// The rules that hold for every object's metadata.
import type { Resource } from "../registry/resource.ts";
import type { NameRule } from "../registry/strategy.ts";
import type { Cause } from "../schema/cause.ts";
import { equalJson, isObject, type JsonObject, own } from "../schema/json.ts";
import { asText } from "../codec/text.ts";

const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const LABEL_1035 = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;

const RULES: Readonly<Record<NameRule, (name: string) => readonly string[]>> = {
  subdomain: (name) => [
    ...tooLong(name, 253),
    ...(SUBDOMAIN.test(name)
      ? []
      : [
          "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        ]),
  ],
  label: (name) => [
    ...tooLong(name, 63),
    ...(LABEL.test(name)
      ? []
      : [
          "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        ]),
  ],
  label1035: (name) => [
    ...tooLong(name, 63),
    ...(LABEL_1035.test(name)
      ? []
      : [
          "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ]),
  ],
  path: (name) => {
    if (name === "." || name === "..") return [`may not be '${name}'`];
    return ["/", "%"].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
  },
};

function tooLong(name: string, max: number): string[] {
  return name.length > max ? [`must be no more than ${max} bytes`] : [];
}

export function checkMetadata(resource: Resource, object: JsonObject): Cause[] {
  const metadata = own(object, "metadata");
  if (!isObject(metadata)) return [];
  return [...checkName(resource, metadata), ...checkLabels(metadata), ...checkAnnotations(metadata)];
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

export function invalidValue(field: string, value: unknown, problem: string): Cause {
  return { field, reason: "FieldValueInvalid", message: `Invalid value: ${JSON.stringify(value)}: ${problem}` };
}

const QUALIFIED_NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const NAME_PART =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

export function labelProblems(labels: unknown, field: string): Cause[] {
  if (!isObject(labels)) return [];
  return Object.entries(labels).flatMap(([key, value]) => [
    ...keyProblems(key).map((problem) => invalidValue(field, key, problem)),
    ...valueProblems(`${value}`).map((problem) => invalidValue(field, value, problem)),
  ]);
}

function checkLabels(metadata: JsonObject): Cause[] {
  return labelProblems(own(metadata, "labels"), "metadata.labels");
}

function valueProblems(value: string): string[] {
  return [...tooLong(value, 63), ...(LABEL_VALUE.test(value) ? [] : [VALUE_RULE])];
}

export function keyProblems(key: string): string[] {
  const slash = key.indexOf("/");
  const name = key.slice(slash + 1);
  if (key.split("/").length > 2)
    return [
      `a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const prefixProblems = slash < 0 ? [] : prefixProblemsOf(key.slice(0, slash));
  if (name === "") return [...prefixProblems, "name part must be non-empty", NAME_PART];
  const tooLongName = name.length > 63 ? ["name part must be no more than 63 bytes"] : [];
  return [...prefixProblems, ...tooLongName, ...(QUALIFIED_NAME.test(name) ? [] : [NAME_PART])];
}

function prefixProblemsOf(prefix: string): string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  return RULES.subdomain(prefix).map((problem) => `prefix part ${problem}`);
}

const ANNOTATIONS_BYTES_MAX = 256 * 1024;

function checkAnnotations(metadata: JsonObject): Cause[] {
  const annotations = own(metadata, "annotations");
  if (!isObject(annotations)) return [];
  const field = "metadata.annotations";
  const problems = Object.keys(annotations).flatMap((key) =>
    keyProblems(key.toLowerCase()).map((problem) => invalidValue(field, key, problem)),
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
