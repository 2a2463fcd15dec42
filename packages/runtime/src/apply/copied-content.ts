import type { KubeObject } from "@chaski/kube";
import { hashOf } from "./payload.ts";

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
  return hashOf(contentOf(source));
}

function filled(field: string, values: Readonly<Record<string, string>> = {}): Content {
  return Object.keys(values).length > 0 ? { [field]: values } : {};
}
