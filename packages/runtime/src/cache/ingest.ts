import { apiVersionOf, type Kind, type KubeObject, type ObjectMeta } from "@chaski/kube";
import { deepFreeze } from "./freeze.ts";
import { InternedStrings } from "./interned-strings.ts";

export interface IngestOptions<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly transform?: ((object: T) => T) | undefined;
  readonly isMetadataOnly?: boolean;
  readonly isFrozen: boolean;
}

/** From what the server sent to what the cache holds; throws if that can't be. */
export type Ingest<T extends KubeObject> = (sent: T) => T;

export function createIngest<T extends KubeObject>(options: IngestOptions<T>): Ingest<T> {
  const { kind, transform, isMetadataOnly, isFrozen } = options;
  const apiVersion = apiVersionOf(kind);
  const strings = new InternedStrings();
  return (sent) => {
    requireIdentity(kind, sent);
    // The items of a list come without apiVersion and kind, metadata alone with those of its own envelope.
    const object: T = {
      ...(isMetadataOnly ? ({} as T) : sent),
      apiVersion,
      kind: kind.kind,
      metadata: slim(sent.metadata, strings),
    };
    const held = transform ? transform(object) : object;
    if (held !== object) requireIdentity(kind, held);
    return isFrozen ? deepFreeze(held) : held;
  };
}

function requireIdentity(kind: Kind, sent: Partial<KubeObject> | null): void {
  const metadata: Partial<ObjectMeta> = sent?.metadata ?? {};
  const isMissing = (field: "name" | "namespace" | "resourceVersion"): boolean =>
    typeof metadata[field] !== "string" || metadata[field] === "";
  if (isMissing("name")) throw new Error("metadata.name is missing");
  if (isMissing("resourceVersion")) throw new Error("metadata.resourceVersion is missing");
  if (kind.isNamespaced && isMissing("namespace")) throw new Error("metadata.namespace is missing");
}

/** Without managedFields, half of many an object; sharing the strings that siblings have in common. */
function slim(sent: ObjectMeta, strings: InternedStrings): ObjectMeta {
  const { managedFields: _, ...metadata } = sent;
  return {
    ...metadata,
    ...(metadata.namespace !== undefined && { namespace: strings.one(metadata.namespace) }),
    ...(metadata.labels !== undefined && { labels: strings.all(metadata.labels) }),
  };
}
