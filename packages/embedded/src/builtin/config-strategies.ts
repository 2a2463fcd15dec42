// ConfigMaps and Secrets.
import type { Strategy } from "../registry/strategy.ts";
import type { Cause } from "../schema/cause.ts";
import { equalJson, isObject, type JsonObject, own, put } from "../schema/json.ts";
import { forbidden, required, tooLong } from "../schema/field-error.ts";
import { immutable, invalidValue } from "./causes.ts";
import { at, fill, objectAt } from "../schema/fields.ts";
import { asText } from "../codec/text.ts";

const BYTES_MAX = 1024 * 1024;
const KEY = /^[-._a-zA-Z0-9]+$/;

export const configMapStrategy: Strategy = {
  validate: (next, live) => [
    ...validateKeys(next, ["data", "binaryData"]),
    ...validateSize(next, ["data", "binaryData"]),
    ...validateImmutable(next, live, ["data", "binaryData"]),
  ],
};

/** On a Secret that was sent with data, but none in it: that is no data, unless it must not change. */
const EMPTIED = Symbol("emptied");

export const secretStrategy: Strategy = {
  setDefaults: (secret, sent) => {
    fill(secret, { type: "Opaque" });
    const data = own(sent, "data");
    if (isObject(data) && Object.keys(data).length === 0) Object.assign(secret, { [EMPTIED]: true });
    fillFromTexts(secret);
  },
  validate: (next, live) => [
    ...validateKeys(next, ["data"]),
    ...validateSize(next, ["data"]),
    ...validateSecretType(next, live),
    ...validateImmutable(next, live, ["data"]),
  ],
};

function fillFromTexts(secret: JsonObject): void {
  const texts = objectAt(secret, "stringData");
  if (!texts) return;
  const data = { ...objectAt(secret, "data") };
  for (const key of Object.keys(texts)) put(data, key, Buffer.from(asText(texts[key])).toString("base64"));
  secret["data"] = data;
  delete secret["stringData"];
}
function validateKeys(object: JsonObject, fields: readonly string[]): Cause[] {
  return fields.flatMap((field) =>
    Object.keys(objectAt(object, field) ?? {}).flatMap((key) => {
      const problems = keyProblems(key).map((problem) => invalidValue(`${field}[${key}]`, key, problem));
      const isTwice = field === "data" && Object.hasOwn(objectAt(object, "binaryData") ?? {}, key);
      return isTwice
        ? [...problems, invalidValue(`data[${key}]`, key, "duplicate of key present in binaryData")]
        : problems;
    }),
  );
}

function keyProblems(key: string): string[] {
  const problems = key.length > 253 ? ["must be no more than 253 bytes"] : [];
  if (!KEY.test(key))
    problems.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  if (key === "." || key === "..") problems.push(`must not be '${key}'`);
  else if (key.startsWith("..")) problems.push("must not start with '..'");
  return problems;
}

function validateSize(object: JsonObject, fields: readonly string[]): Cause[] {
  const sizes = fields.flatMap((field) => {
    const isEncoded = field === "binaryData" || object["kind"] === "Secret";
    return Object.values(objectAt(object, field) ?? {}).map((value) =>
      Buffer.byteLength(asText(value), isEncoded ? "base64" : "utf8"),
    );
  });
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return total > BYTES_MAX ? [tooLong(object["kind"] === "Secret" ? "data" : "[]", BYTES_MAX)] : [];
}

function validateImmutable(next: JsonObject, live: JsonObject | undefined, fields: readonly string[]): Cause[] {
  if (live?.["immutable"] !== true) return [];
  const thaw = next["immutable"] === true ? [] : [forbidden("immutable", "field is immutable when `immutable` is set")];
  const changed = fields.filter(
    (field) => !equalJson(next[field] ?? {}, live[field] ?? {}) || (EMPTIED in next && live[field] === undefined),
  );
  return [...thaw, ...changed.map((field) => forbidden(field, "field is immutable when `immutable` is set"))];
}

const NEEDED_KEYS: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
};

function validateSecretType(next: JsonObject, live: JsonObject | undefined): Cause[] {
  const type = asText(next["type"]);
  const changed = live && live["type"] !== type ? [immutable("type", type)] : [];
  const data = objectAt(next, "data") ?? {};
  if (type === "kubernetes.io/service-account-token") {
    const account = at(next, "metadata", "annotations", "kubernetes.io/service-account.name");
    return account ? changed : [...changed, required("metadata.annotations[kubernetes.io/service-account.name]")];
  }
  const missing = (NEEDED_KEYS[type] ?? []).filter((key) => !isObject(data) || data[key] === undefined);
  return [...changed, ...missing.map((key) => required(`data[${key}]`))];
}
