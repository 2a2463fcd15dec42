import type { Recording } from "@chaski/runtime";
import { RELEASE_MANAGER_CONTROLLER } from "../../src/controllers/release-manager.ts";

/** Counts the decisions about each release, by `namespace/name`. */
export function passCounter(): { readonly passes: ReadonlyMap<string, number>; readonly recording: Recording } {
  const passes = new Map<string, number>();
  const prefix = `${RELEASE_MANAGER_CONTROLLER}:`;
  const write = (owner: string): void => {
    if (!owner.startsWith(prefix)) return;
    const key = owner.slice(prefix.length);
    passes.set(key, (passes.get(key) ?? 0) + 1);
  };
  return { passes, recording: { write } };
}
