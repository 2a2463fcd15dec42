import { createHash } from "node:crypto";
import { stableJson } from "@chaski/kube";

/** Of a Secret's content too: the hash must not give it away. */
export function hashOf(value: unknown): string {
  return createHash("sha256").update(stableJson(value)).digest("hex").slice(0, 32);
}
