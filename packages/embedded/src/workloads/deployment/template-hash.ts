import { type PodTemplateSpec, stableJson } from "@chaski/kube";

export const TEMPLATE_HASH = "pod-template-hash";

/** No vowels and no digits that read like them. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

/** Names a template; `collisions` gives another name to one whose name is taken. */
export function templateHash(template: PodTemplateSpec, collisions: number | undefined): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(`${stableJson(template)}${collisions ?? ""}`))
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return Array.from(`${hash}`, (digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length]).join("");
}

export function isSameTemplate(left: PodTemplateSpec | undefined, right: PodTemplateSpec): boolean {
  return left !== undefined && stableJson(withoutHash(left)) === stableJson(withoutHash(right));
}

function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [TEMPLATE_HASH]: _hash, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}
