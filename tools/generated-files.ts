import { canaryResource, crdOf, type ResourceDefinition, releaseResources } from "@chaski/api";
import { namespaceManifest, operatorManifests, rbacManifests } from "@chaski/operator";
import { stringify } from "yaml";
import type { z } from "zod";
import { apiReference } from "./api-reference.ts";

/** Kinds whose wing runs: the others' CRDs are written, but installing the operator does not touch them. */
const INSTALLED = [canaryResource];
const RESOURCES: readonly ResourceDefinition<z.ZodType, z.ZodType>[] = [...INSTALLED, ...releaseResources];

const HEADER = "# Written by `npm run generate`. Do not edit.\n";

/** Path → content of every file that is derived from code. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const crds = RESOURCES.map(
    (resource) => [`config/crd/${resource.group}_${resource.plural}.yaml`, yaml([crdOf(resource)])] as const,
  );
  const references = RESOURCES.map((resource) => [`docs/api/${resource.singular}.md`, apiReference(resource)] as const);
  const crdFiles = INSTALLED.map(({ group, plural }) => `crd/${group}_${plural}.yaml`);
  const kustomization = { resources: ["namespace.yaml", ...crdFiles, "rbac.yaml", "operator.yaml"] };
  return new Map([
    ...crds,
    ...references,
    ["config/namespace.yaml", yaml([namespaceManifest()])],
    ["config/rbac.yaml", yaml(rbacManifests())],
    ["config/operator.yaml", yaml(operatorManifests())],
    ["config/kustomization.yaml", yaml([kustomization])],
  ]);
}

function yaml(documents: readonly unknown[]): string {
  return (
    HEADER +
    documents.map((document) => stringify(document, { lineWidth: 120, aliasDuplicateObjects: false })).join("---\n")
  );
}
