// Definitions of other projects' kinds that take whatever is in them.
import type { CustomResourceDefinition, Kind } from "@chaski/kube";
import { optionalKinds } from "../../src/objects/kinds.ts";

export const openCrds: readonly CustomResourceDefinition[] = optionalKinds.map(openCrd);

function openCrd({ group, version, kind, plural }: Kind): CustomResourceDefinition {
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, annotations: { "api-approved.kubernetes.io": "unapproved, for tests" } },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: open } }],
    },
  } as unknown as CustomResourceDefinition;
}
