// Events are stored once, as the core group has them, and served by two groups with different field names.
import { isObject, type JsonObject, own } from "../schema/json.ts";

type Converter = (object: JsonObject) => JsonObject;

/** events.k8s.io name → core name. */
const RENAMED: Readonly<Record<string, string>> = {
  regarding: "involvedObject",
  note: "message",
  reportingController: "reportingComponent",
  deprecatedSource: "source",
  deprecatedFirstTimestamp: "firstTimestamp",
  deprecatedLastTimestamp: "lastTimestamp",
  deprecatedCount: "count",
};
const RENAMED_BACK = Object.fromEntries(Object.entries(RENAMED).map(([modern, core]) => [core, modern]));

export function convertersOf(group: string, kind: string): { fromStored?: Converter; toStored?: Converter } {
  if (group !== "events.k8s.io" || kind !== "Event") return {};
  return {
    fromStored: (event) => withoutEmpty(rename({ ...event, apiVersion: "events.k8s.io/v1" }, RENAMED_BACK)),
    toStored: (event) => fillCore(rename({ ...event, apiVersion: "v1" }, RENAMED)),
  };
}

/** What events.k8s.io leaves out when it is empty. */
function withoutEmpty(event: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== ""));
}

function rename(event: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(event).map(([key, value]) => [names[key] ?? key, value]));
}

/** What the core group always writes. */
function fillCore(event: JsonObject): JsonObject {
  const defaults = {
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: "",
    reportingInstance: "",
  };
  const source = own(event, "source");
  return { ...defaults, ...event, ...(isObject(source) && { source }) };
}
