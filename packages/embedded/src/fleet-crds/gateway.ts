import { AGE, type Definition } from "./definition.ts";
import {
  atomicList,
  byKey,
  choice,
  dateTime,
  int32,
  int64,
  labelSelector,
  list,
  mapOf,
  object,
  required,
  rule,
  rules,
  type Schema,
  string,
} from "./schema.ts";

const SUBDOMAIN = String.raw`[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`;

function text(maxLength: number, pattern?: string, minLength = 1): Schema {
  return { ...string, maxLength, ...(minLength > 0 && { minLength }), ...(pattern !== undefined && { pattern }) };
}

const groupName = text(253, `^$|^${SUBDOMAIN}$`, 0);
const kindName = text(63, "^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$");
const sectionName = text(253, `^${SUBDOMAIN}$`);
const sameNamespace = { default: { from: "Same" } };

const listener = object(
  {
    allowedRoutes: object(
      {
        kinds: list(
          object({ group: { ...groupName, default: "gateway.networking.k8s.io" }, kind: kindName }, required("kind")),
          { ...atomicList, maxItems: 8 },
        ),
        namespaces: object(
          { from: { ...choice("All", "Selector", "Same"), default: "Same" }, selector: labelSelector },
          sameNamespace,
        ),
      },
      { default: { namespaces: { from: "Same" } } },
    ),
    hostname: text(253, `^(\\*\\.)?${SUBDOMAIN}$`),
    name: sectionName,
    port: { ...int32, minimum: 1, maximum: 65_535 },
    protocol: text(255, String.raw`^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$|${SUBDOMAIN}\/[A-Za-z0-9]+$`),
  },
  required("name", "port", "protocol"),
);

const listenerRules = rules(
  rule(
    "hostname must not be specified for protocols ['TCP', 'UDP']",
    "self.all(l, l.protocol in ['TCP', 'UDP']  ? (!has(l.hostname) || l.hostname == '') : true)",
  ),
  rule("Listener name must be unique within the Gateway", "self.all(l1, self.exists_one(l2, l1.name == l2.name))"),
  rule(
    "Combination of port, protocol and hostname must be unique for each listener",
    "self.all(l1, self.exists_one(l2, l1.port == l2.port && l1.protocol == l2.protocol && (has(l1.hostname) && has(l2.hostname) ? l1.hostname == l2.hostname : !has(l1.hostname) && !has(l2.hostname))))",
  ),
);

const condition = object(
  {
    lastTransitionTime: dateTime,
    message: { ...string, maxLength: 32_768 },
    observedGeneration: { ...int64, minimum: 0 },
    reason: text(1024, "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"),
    status: choice("True", "False", "Unknown"),
    type: text(316, `^(${SUBDOMAIN}/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`, 0),
  },
  required("lastTransitionTime", "message", "reason", "status", "type"),
);

const WAITING = {
  lastTransitionTime: "1970-01-01T00:00:00Z",
  message: "Waiting for controller",
  reason: "Pending",
  status: "Unknown",
};
const UNSEEN = [
  { ...WAITING, type: "Accepted" },
  { ...WAITING, type: "Programmed" },
];

const gateway: Definition = {
  group: "gateway.networking.k8s.io",
  kind: "Gateway",
  shortNames: ["gtw"],
  categories: ["gateway-api"],
  versions: ["v1", "v1beta1"],
  isSpecRequired: true,
  spec: object(
    {
      gatewayClassName: text(253),
      infrastructure: object({
        annotations: mapOf({ ...string, minLength: 0, maxLength: 4096 }, { maxProperties: 16 }),
        labels: mapOf(text(63, "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$", 0), { maxProperties: 8 }),
        parametersRef: object({ group: groupName, kind: kindName, name: text(253) }, required("group", "kind", "name")),
      }),
      listeners: list(listener, { minItems: 1, maxItems: 64, ...byKey("name"), ...listenerRules }),
    },
    required("gatewayClassName", "listeners"),
  ),
  status: object(
    { conditions: list(condition, { default: UNSEEN, maxItems: 8, ...byKey("type") }) },
    { default: { conditions: UNSEEN } },
  ),
  columns: [
    ["Class", "string", ".spec.gatewayClassName"],
    ["Programmed", "string", '.status.conditions[?(@.type=="Programmed")].status'],
    AGE,
  ],
};

export const GATEWAY: readonly Definition[] = [gateway];
