// A version of a CustomResourceDefinition as a resource like any other.
import { invalidValue } from "../builtin/causes.ts";
import { numberAt, objectAt, objectsAt, stringAt, stringsAt } from "../schema/fields.ts";
import { textAt } from "../builtin/selectable-fields.ts";
import { hasRules, validateRules } from "../cel/index.ts";
import { decodeObject, type Decoded } from "../codec/go-decode.ts";
import type { VersionLookup } from "../merge/index.ts";
import { objectMetaSchema, objectMetaType } from "../builtin/resources.ts";
import { apiVersionOf, type Resource, type ScalePaths, type Subresource } from "../registry/resource.ts";
import type { Strategy } from "../registry/strategy.ts";
import {
  applyDefaults,
  type Cause,
  equalJson,
  isObject,
  type JsonObject,
  prune,
  readStructural,
  validate,
} from "../schema/index.ts";
import { compileJsonPath } from "./json-path.ts";
import { printerColumnsOf } from "./printer-columns.ts";
import { asText } from "../codec/text.ts";

const VERBS = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const SUBRESOURCE_VERBS = ["get", "patch", "update"];

/** The resources that an accepted definition serves: one per served version. */
export function customResourcesOf(crd: JsonObject): Resource[] {
  const served = objectsAt(crd, "spec", "versions").filter((version) => version["served"] === true);
  const resources = served.map((version) => customResource(crd, version));
  if (resources.length === 1) return resources;
  const versions: VersionLookup = (apiVersion) => {
    const found = resources.find((resource) => apiVersionOf(resource) === apiVersion);
    return found && { schema: found.schema, convert: (object) => ({ ...object, apiVersion }) };
  };
  return resources.map((resource) => ({ ...resource, versions }));
}

type Schemas = ReturnType<typeof readStructural>;

function customResource(crd: JsonObject, version: JsonObject): Resource {
  const spec = objectAt(crd, "spec") ?? {};
  const names = objectAt(spec, "names") ?? {};
  const group = stringAt(spec, "group");
  const kind = stringAt(names, "kind");
  const identity = { group, version: stringAt(version, "name"), kind };
  const schemas = readStructural(objectAt(version, "schema", "openAPIV3Schema"), objectMetaSchema());
  const storage = objectsAt(spec, "versions").find((candidate) => candidate["storage"] === true);
  const isStorage = stringAt(storage, "name") === identity.version;
  const scalePaths = scalePathsOf(version);
  const subresources = subresourcesOf(version, identity);
  return {
    ...identity,
    plural: stringAt(names, "plural"),
    singular: stringAt(names, "singular"),
    listKind: stringAt(names, "listKind"),
    isNamespaced: spec["scope"] === "Namespaced",
    verbs: VERBS,
    shortNames: stringsAt(names, "shortNames"),
    categories: stringsAt(names, "categories"),
    subresources,
    collection: `${group}/${stringAt(names, "plural")}`,
    schema: schemas.object,
    strategy: strategyOf(schemas, subresources.has("status"), scalePaths),
    isCustom: true,
    openApi: objectAt(version, "schema", "openAPIV3Schema") ?? { type: "object" },
    empty: { kind, apiVersion: apiVersionOf(identity) },
    decode: (value) => decodeCustom(schemas, value),
    ...(!isStorage && convertersBetween(identity, { ...identity, version: stringAt(storage, "name") })),
    selectableFields: selectableFieldsOf(version),
    ...printerColumnsOf(version),
    ...(scalePaths && { scalePaths }),
  };
}

/** Conversion by strategy None: nothing but the version's name changes. */
function convertersBetween(
  own: { group: string; version: string },
  stored: { group: string; version: string },
): Pick<Resource, "fromStored" | "toStored"> {
  return {
    fromStored: (object) => ({ ...object, apiVersion: apiVersionOf(own) }),
    toStored: (object) => ({ ...object, apiVersion: apiVersionOf(stored) }),
  };
}

function decodeCustom({ structural, object }: Schemas, value: JsonObject): Decoded {
  const { metadata, ...rest } = value;
  const pruned = prune(object, rest);
  const meta = decodeObject(objectMetaType(), isObject(metadata) ? metadata : {});
  const unknownInMeta = meta.unknownFields.map((field) => `metadata.${field}`);
  const defaulted = applyDefaults(structural, { ...pruned.value, metadata: meta.object });
  return { object: defaulted, unknownFields: [...pruned.unknownFields, ...unknownInMeta] };
}

function strategyOf({ structural }: Schemas, hasStatus: boolean, scalePaths: ScalePaths | undefined): Strategy {
  const check = (object: JsonObject, live: JsonObject | undefined): Cause[] => {
    const causes = [...validate(structural, object, live), ...scaleCauses(object, scalePaths)];
    if (!hasRules(structural)) return causes;
    if (stringAt(object, "metadata", "name") === "" || causes.some(keepsRulesFromRunning))
      return [...causes, RULES_NOT_CHECKED];
    return [...causes, ...validateRules(structural, { value: object, ...(live && { previous: live }) })];
  };
  return {
    allowsUnconditionalUpdate: false,
    // The status of a new object is taken away and then read with its defaults.
    ...(hasStatus && { prepareForCreate: (object) => void Object.assign(object, applyDefaults(structural, object)) }),
    isNewGeneration: (next, live) => !equalJson(specOf(next, hasStatus), specOf(live, hasStatus)),
    validate: check,
    validateStatus: check,
  };
}

const RULES_NOT_CHECKED: Cause = {
  field: "<nil>",
  reason: "FieldValueInvalid",
  message:
    "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
};

/** Rules read values of the right shape only; one that is merely out of bounds does not keep them. */
function keepsRulesFromRunning({ reason }: Cause): boolean {
  return reason !== "FieldValueInvalid" && reason !== "FieldValueDuplicate";
}

/** What a scale would read has to be readable. */
function scaleCauses(object: JsonObject, paths: ScalePaths | undefined): Cause[] {
  if (!paths) return [];
  return [paths.specReplicas, paths.statusReplicas].flatMap((path) => {
    const problem = unreadable(object, path);
    const field = `.${path.join(".")}`;
    if (problem !== undefined) return [invalidValue(field, 0, `${field} accessor error: ${problem}`)];
    const replicas = numberAt(object, ...path) ?? 0;
    return replicas < 0 ? [invalidValue(field, replicas, "should be a non-negative integer")] : [];
  });
}

function unreadable(object: JsonObject, path: readonly string[]): string | undefined {
  let value: unknown = object;
  for (const segment of path) {
    if (!isObject(value)) return `${asText(value)} is of the type ${typeof value}, expected map[string]interface{}`;
    value = value[segment];
    if (value === undefined) return undefined;
  }
  if (Number.isInteger(value)) return undefined;
  const type = typeof value === "number" ? "float64" : typeof value;
  return `${asText(value)} is of the type ${type}, expected int64`;
}

/** All that a change of counts as a new generation. */
function specOf(object: JsonObject, hasStatus: boolean): JsonObject {
  const { metadata: _metadata, apiVersion: _apiVersion, ...rest } = object;
  if (!hasStatus) return rest;
  const { status: _status, ...spec } = rest;
  return spec;
}

function subresourcesOf(
  version: JsonObject,
  kind: { group: string; version: string; kind: string },
): ReadonlyMap<string, Subresource> {
  const subresources = new Map<string, Subresource>();
  if (objectAt(version, "subresources", "status"))
    subresources.set("status", { name: "status", kind, verbs: SUBRESOURCE_VERBS });
  if (objectAt(version, "subresources", "scale")) {
    const scale = { group: "autoscaling", version: "v1", kind: "Scale" };
    subresources.set("scale", { name: "scale", kind: scale, verbs: SUBRESOURCE_VERBS });
  }
  return subresources;
}

function scalePathsOf(version: JsonObject): ScalePaths | undefined {
  const scale = objectAt(version, "subresources", "scale");
  if (!scale) return undefined;
  const selector = stringAt(scale, "labelSelectorPath");
  return {
    specReplicas: segmentsOf(stringAt(scale, "specReplicasPath")),
    statusReplicas: segmentsOf(stringAt(scale, "statusReplicasPath")),
    selector: selector === "" ? undefined : segmentsOf(selector),
  };
}

function segmentsOf(path: string): string[] {
  return path.replace(/^\./, "").split(".");
}

function selectableFieldsOf(version: JsonObject): ReadonlyMap<string, (object: JsonObject) => string> {
  return new Map(
    objectsAt(version, "selectableFields").map((field) => {
      const path = stringAt(field, "jsonPath");
      const read = compileJsonPath(path);
      return [
        path.replace(/^\./, ""),
        (object: JsonObject) => textAt({ value: read?.(object)[0] }, ["value"]),
      ] as const;
    }),
  );
}
