import type { KubeObject } from "@chaski/kube";
import { hashOf } from "./content-hash.ts";

interface Content {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

/** What a copy of a Secret or ConfigMap consists of. Never logged, never reported. */
export function contentOf(source: Readonly<KubeObject>): Content {
  const { type, data, binaryData } = source as KubeObject & Content;
  return { ...(type && { type }), ...filled("data", data), ...filled("binaryData", binaryData) };
}

/** What the world knows of a Secret's or ConfigMap's content. */
export function copyHash(source: Readonly<KubeObject>): string {
  return (source as Hashed).contentHash ?? hashOf(contentOf(source));
}

interface Hashed extends KubeObject {
  readonly contentHash?: string;
}

/** Where kubectl keeps what it applied, the content of a Secret included. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** For caches of Secrets and ConfigMaps: of their content nothing stays but the hash. */
export function withoutContent(object: KubeObject): KubeObject {
  const {
    data: _data,
    binaryData: _binary,
    stringData: _text,
    ...rest
  } = object as KubeObject & Record<string, unknown>;
  const { [LAST_APPLIED]: _applied, ...annotations } = object.metadata.annotations ?? {};
  const kept: Hashed = { ...rest, metadata: { ...object.metadata, annotations }, contentHash: copyHash(object) };
  return kept;
}

function filled(field: string, values: Readonly<Record<string, string>> = {}): Content {
  return Object.keys(values).length > 0 ? { [field]: values } : {};
}
