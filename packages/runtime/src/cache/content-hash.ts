import { hash } from "node:crypto";
import { stableJson } from "@chaski/kube";

/** Of a Secret's content too: the hash must not give it away. */
export function hashOf(value: unknown): string {
  return hash("sha256", stableJson(value)).slice(0, 32);
}
