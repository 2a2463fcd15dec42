// Those rules of a pod's spec that the project's objects can break.
import { dns1123LabelProblems, parseQuantity, compareQuantities } from "@chaski/kube";
import type { Cause } from "../schema/cause.ts";
import { isObject, type JsonObject } from "../schema/json.ts";
import { forbidden, required } from "../schema/field-error.ts";
import { duplicate, invalidValue, notSupported, oneOf } from "./causes.ts";
import { at, numberAt, objectAt, objectsAt, stringAt } from "../schema/fields.ts";
import { asText } from "../codec/text.ts";

export function validatePodSpec(spec: JsonObject, field: string): Cause[] {
  const volumeNames = new Set(
    objectsAt(spec, "volumes")
      .filter((volume) => validateSource(volume, "").length === 0)
      .map((volume) => stringAt(volume, "name")),
  );
  const containers = objectsAt(spec, "containers");
  return [
    ...validateVolumes(spec, `${field}.volumes`),
    ...(containers.length === 0 ? [required(`${field}.containers`)] : []),
    ...validateContainers(containers, { field: `${field}.containers`, volumeNames }),
    ...validateContainers(objectsAt(spec, "initContainers"), { field: `${field}.initContainers`, volumeNames }),
    ...oneOf(`${field}.restartPolicy`, spec["restartPolicy"], ["Always", "OnFailure", "Never"]),
    ...oneOf(`${field}.dnsPolicy`, spec["dnsPolicy"], ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"]),
  ];
}

function validateVolumes(spec: JsonObject, field: string): Cause[] {
  const seen = new Set<string>();
  return objectsAt(spec, "volumes").flatMap((volume, index) => {
    const at = `${field}[${index}].name`;
    const name = stringAt(volume, "name");
    if (name === "") return [required(at)];
    const problems = dns1123LabelProblems(name).map((problem) => invalidValue(at, name, problem));
    if (seen.has(name)) problems.push(duplicate(at, name));
    seen.add(name);
    return [...problems, ...validateSource(volume, `${field}[${index}]`)];
  });
}

const SOURCE_NAMES = { configMap: "name", secret: "secretName" } as const;

function validateSource(volume: JsonObject, field: string): Cause[] {
  const [first, ...others] = Object.keys(volume)
    .filter((key) => key !== "name")
    .toSorted((left, right) => Number(right === "emptyDir") - Number(left === "emptyDir"));
  const tooMany = others.map((source) => forbidden(`${field}.${source}`, "may not specify more than 1 volume type"));
  if (first !== "configMap" && first !== "secret") return tooMany;
  const key = SOURCE_NAMES[first];
  return stringAt(volume, first, key) === "" ? [required(`${field}.${first}.${key}`), ...tooMany] : tooMany;
}

interface ContainersPlace {
  readonly field: string;
  readonly volumeNames: ReadonlySet<string>;
}

function validateContainers(containers: readonly JsonObject[], { field, volumeNames }: ContainersPlace): Cause[] {
  const seen = new Set<string>();
  return containers.flatMap((container, index) => {
    const at = `${field}[${index}]`;
    const name = stringAt(container, "name");
    const isTwice = seen.has(name);
    seen.add(name);
    return [
      ...validateContainer(container, at),
      ...(isTwice ? [duplicate(`${at}.name`, name)] : []),
      ...validateMounts(container, at, volumeNames),
    ];
  });
}

function validateContainer(container: JsonObject, field: string): Cause[] {
  const name = stringAt(container, "name");
  const image = stringAt(container, "image");
  return [
    ...(name === ""
      ? [required(`${field}.name`)]
      : dns1123LabelProblems(name).map((problem) => invalidValue(`${field}.name`, name, problem))),
    ...(image === "" ? [required(`${field}.image`)] : []),
    ...(image.trim() === image
      ? []
      : [invalidValue(`${field}.image`, image, "must not have leading or trailing whitespace")]),
    ...oneOf(`${field}.imagePullPolicy`, container["imagePullPolicy"], ["Always", "IfNotPresent", "Never"]),
    ...oneOf(`${field}.terminationMessagePolicy`, container["terminationMessagePolicy"], [
      "File",
      "FallbackToLogsOnError",
    ]),
    ...validatePorts(container, `${field}.ports`),
    ...validateEnv(container, `${field}.env`),
    ...validateResources(container, `${field}.resources`),
    ...["livenessProbe", "readinessProbe", "startupProbe"].flatMap((probe) => validateProbe(container, probe, field)),
  ];
}

function validatePorts(container: JsonObject, field: string): Cause[] {
  const names = new Set<string>();
  return objectsAt(container, "ports").flatMap((port, index) => {
    const at = `${field}[${index}]`;
    const name = stringAt(port, "name");
    const problems =
      name === "" ? [] : portNameProblems(name).map((problem) => invalidValue(`${at}.name`, name, problem));
    if (name !== "" && names.has(name)) problems.push(duplicate(`${at}.name`, name));
    names.add(name);
    const number = numberAt(port, "containerPort") ?? 0;
    if (number === 0) problems.push(required(`${at}.containerPort`));
    else problems.push(...portProblems(`${at}.containerPort`, number));
    return [...problems, ...oneOf(`${at}.protocol`, port["protocol"], ["SCTP", "TCP", "UDP"])];
  });
}

export function portProblems(field: string, port: number): Cause[] {
  return port < 1 || port > 65_535 ? [invalidValue(field, port, "must be between 1 and 65535, inclusive")] : [];
}

export function portNameProblems(name: string): string[] {
  const problems: string[] = [];
  if (name.length > 15) problems.push("must be no more than 15 bytes");
  if (!/^[-a-z0-9]+$/.test(name))
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(name)) problems.push("must contain at least one letter (a-z)");
  if (name.includes("--")) problems.push("must not contain consecutive hyphens");
  if (/^-|-$/.test(name)) problems.push("must not begin or end with a hyphen");
  return problems;
}

function validateEnv(container: JsonObject, field: string): Cause[] {
  return objectsAt(container, "env").flatMap((variable, index) => {
    const name = stringAt(variable, "name");
    if (name === "") return [required(`${field}[${index}].name`)];
    const hasBoth = stringAt(variable, "value") !== "" && objectAt(variable, "valueFrom") !== undefined;
    return hasBoth
      ? [invalidValue(`${field}[${index}].valueFrom`, "", "may not be specified when `value` is not empty")]
      : [];
  });
}

function validateResources(container: JsonObject, field: string): Cause[] {
  const limits = objectAt(container, "resources", "limits") ?? {};
  const requests = objectAt(container, "resources", "requests") ?? {};
  return [
    ...negativeQuantities(limits, `${field}.limits`),
    ...Object.entries(requests).flatMap(([name, request]) => {
      const at = `${field}.requests`;
      const limit = limits[name];
      const problems = negativeQuantities({ [name]: request }, at);
      if (limit !== undefined && isMore(request, limit))
        problems.push(invalidValue(at, request, `must be less than or equal to ${name} limit of ${limit as string}`));
      return problems;
    }),
  ];
}

function negativeQuantities(amounts: JsonObject, field: string): Cause[] {
  return Object.entries(amounts).flatMap(([name, amount]) =>
    typeof amount === "string" && amount.startsWith("-")
      ? [invalidValue(`${field}[${name}]`, amount, "must be greater than or equal to 0")]
      : [],
  );
}

function isMore(left: unknown, right: unknown): boolean {
  const [a, b] = [parseQuantity(left as string), parseQuantity(right as string)];
  return a.ok && b.ok && compareQuantities(a.value, b.value) > 0;
}

const HANDLERS = ["exec", "httpGet", "tcpSocket", "grpc"];

function validateProbe(container: JsonObject, name: string, field: string): Cause[] {
  const probe = objectAt(container, name);
  if (!probe) return [];
  const at = `${field}.${name}`;
  const handlers = HANDLERS.filter((handler) => isObject(probe[handler]));
  const problems = handlers.length === 0 ? [required(at, "must specify a handler type")] : [];
  const isRestarting = name !== "readinessProbe";
  if (isRestarting && (numberAt(probe, "successThreshold") ?? 1) !== 1)
    problems.push(invalidValue(`${at}.successThreshold`, probe["successThreshold"], "must be 1"));
  const numbers = ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"];
  for (const key of numbers)
    if ((numberAt(probe, key) ?? 0) < 0)
      problems.push(invalidValue(`${at}.${key}`, probe[key], "must be greater than or equal to 0"));
  return problems;
}

function validateMounts(container: JsonObject, field: string, volumeNames: ReadonlySet<string>): Cause[] {
  const paths = new Set<string>();
  return objectsAt(container, "volumeMounts").flatMap((mount, index) => {
    const place = `${field}.volumeMounts[${index}]`;
    const [name, path] = [stringAt(mount, "name"), stringAt(mount, "mountPath")];
    const problems: Cause[] = [];
    if (name === "") problems.push(required(`${place}.name`));
    else if (!volumeNames.has(name))
      problems.push({
        field: `${place}.name`,
        reason: "FieldValueNotFound",
        message: `Not found: ${JSON.stringify(name)}`,
      });
    if (path === "") problems.push(required(`${place}.mountPath`));
    if (paths.has(path)) problems.push(invalidValue(`${place}.mountPath`, path, "must be unique"));
    paths.add(path);
    return problems;
  });
}

/** The template of a Deployment or a ReplicaSet: restarted for ever, with labels that its selector selects. */
export function validateTemplate(object: JsonObject): Cause[] {
  const spec = objectAt(object, "spec", "template", "spec") ?? {};
  const restartPolicy = at(spec, "restartPolicy");
  const causes = validatePodSpec(spec, "spec.template.spec");
  if (restartPolicy !== "Always" && ["OnFailure", "Never"].includes(asText(restartPolicy)))
    causes.push(notSupported("spec.template.spec.restartPolicy", restartPolicy, ["Always"]));
  return causes;
}
