import type { Revision } from "../src/releases/revision.ts";
import type { RevisionTarget } from "../src/releases/target.ts";

/** A Revision without faults, but for what the test changes. */
export function revisionWith(target: Partial<RevisionTarget> = {}, ...others: readonly RevisionTarget[]): Revision {
  return {
    apiVersion: "picchu.medium.engineering/v1alpha1",
    kind: "Revision",
    metadata: { name: "echo-v1", namespace: "picchu" },
    spec: {
      app: { name: "echo", ref: "main", tag: "v1", image: "example/echo:v1" },
      targets: [{ name: "production", fleet: "production", scale: { min: 1, max: 4 }, ...target }, ...others],
      failed: false,
    },
  };
}
