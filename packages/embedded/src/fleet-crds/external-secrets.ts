import { type Definition } from "./definition.ts";
import {
  atomicMap,
  boolean,
  choice,
  dateTime,
  list,
  nullable,
  object,
  required,
  type Schema,
  string,
  stringMap,
  strings,
} from "./schema.ts";

function usually(value: string, ...others: readonly string[]): Schema {
  return { ...choice(value, ...others), default: value };
}

function named(pattern: string): Schema {
  return { ...string, minLength: 1, maxLength: 253, pattern };
}

const name = named(String.raw`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`);
const key = named("^[-._a-zA-Z0-9]+$");
const text = { ...string, minLength: 1 };
const storeRef = object({ kind: choice("SecretStore", "ClusterSecretStore"), name });
const exactlyOne = { minProperties: 1, maxProperties: 1 };

const GENERATORS = [
  "ACRAccessToken",
  "ClusterGenerator",
  "CloudsmithAccessToken",
  "ECRAuthorizationToken",
  "Fake",
  "GCRAccessToken",
  "GithubAccessToken",
  "QuayAccessToken",
  "Password",
  "SSHKey",
  "STSSessionToken",
  "UUID",
  "VaultDynamicSecret",
  "Webhook",
  "Grafana",
  "MFA",
];

const sourceRef = object(
  {
    generatorRef: object(
      {
        apiVersion: { ...string, default: "generators.external-secrets.io/v1alpha1" },
        kind: choice(...GENERATORS),
        name,
      },
      required("kind", "name"),
    ),
    storeRef,
  },
  exactlyOne,
);

const strategies = {
  conversionStrategy: usually("Default", "Unicode"),
  decodingStrategy: usually("None", "Auto", "Base64", "Base64URL"),
};
const remoteRef = object(
  { ...strategies, key: string, metadataPolicy: usually("None", "Fetch"), property: string, version: string },
  required("key"),
);

const rewrite = object(
  {
    merge: object({
      conflictPolicy: usually("Error", "Ignore"),
      into: { ...string, default: "" },
      priority: strings,
      priorityPolicy: usually("Strict", "IgnoreNotFound"),
      strategy: usually("Extract", "JSON"),
    }),
    regexp: object({ source: string, target: string }, required("source", "target")),
    transform: object({ template: string }, required("template")),
  },
  exactlyOne,
);

const templateSource = object(
  {
    items: list(object({ key, templateAs: usually("Values", "KeysAndValues") }, required("key"))),
    name,
  },
  required("items", "name"),
);

const template = object({
  data: stringMap,
  engineVersion: usually("v2"),
  mergePolicy: usually("Replace", "Merge"),
  metadata: object({ annotations: stringMap, finalizers: strings, labels: stringMap }),
  templateFrom: list(
    object({
      configMap: templateSource,
      literal: string,
      secret: templateSource,
      target: { ...string, default: "Data" },
    }),
  ),
  type: string,
});

const externalSecret: Definition = {
  group: "external-secrets.io",
  kind: "ExternalSecret",
  shortNames: ["es"],
  categories: ["external-secrets"],
  versions: ["v1"],
  spec: object({
    data: list(object({ remoteRef, secretKey: key, sourceRef }, required("remoteRef", "secretKey"))),
    dataFrom: list(
      object({
        extract: remoteRef,
        find: object({ ...strategies, name: object({ regexp: string }), path: string, tags: stringMap }),
        rewrite: list(rewrite),
        sourceRef,
      }),
    ),
    refreshInterval: { ...string, default: "1h0m0s" },
    refreshPolicy: choice("CreatedOnce", "Periodic", "OnChange"),
    secretStoreRef: storeRef,
    target: object(
      {
        creationPolicy: usually("Owner", "Orphan", "Merge", "None"),
        deletionPolicy: usually("Retain", "Delete", "Merge"),
        immutable: boolean,
        manifest: object({ apiVersion: text, kind: text }, required("apiVersion", "kind")),
        name,
        template,
      },
      { default: { creationPolicy: "Owner", deletionPolicy: "Retain" } },
    ),
  }),
  status: object({
    binding: object({ name: { ...string, default: "" } }, atomicMap),
    conditions: list(
      object(
        {
          lastTransitionTime: dateTime,
          message: string,
          reason: string,
          status: string,
          type: choice("Ready", "Deleted"),
        },
        required("status", "type"),
      ),
    ),
    refreshTime: nullable(dateTime),
    syncedResourceVersion: string,
  }),
  columns: [
    ["StoreType", "string", ".spec.secretStoreRef.kind"],
    ["Store", "string", ".spec.secretStoreRef.name"],
    ["Refresh Interval", "string", ".spec.refreshInterval"],
    ["Status", "string", '.status.conditions[?(@.type=="Ready")].reason'],
    ["Ready", "string", '.status.conditions[?(@.type=="Ready")].status'],
  ],
};

export const EXTERNAL_SECRETS: readonly Definition[] = [externalSecret];
