import { canaryResource, crdOf, type ResourceDefinition, releaseResources } from "@chaski/api";
import {
  disruptionBudget,
  INSTALL_DEFAULTS,
  namespaceManifest,
  networkPolicy,
  operatorManifests,
  rbacManifests,
  releaseWebhooks,
  targetManifests,
} from "@chaski/operator";
import type { z } from "zod";
import { apiReference } from "./api-reference.ts";
import { chartFiles } from "./helm-chart.ts";
import { yaml } from "./yaml-file.ts";

const RESOURCES: readonly ResourceDefinition<z.ZodType, z.ZodType>[] = [canaryResource, ...releaseResources];

/** Path → content of every file that is derived from code. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const crds = RESOURCES.map(
    (resource) => [`config/crd/${resource.group}_${resource.plural}.yaml`, yaml([crdOf(resource)])] as const,
  );
  const references = RESOURCES.map((resource) => [`docs/api/${resource.singular}.md`, apiReference(resource)] as const);
  const crdFiles = RESOURCES.map(({ group, plural }) => `crd/${group}_${plural}.yaml`);
  const kustomization = { resources: ["namespace.yaml", ...crdFiles, "rbac.yaml", "operator.yaml", "protection.yaml"] };
  const values = INSTALL_DEFAULTS;
  return new Map([
    ...crds,
    ...references,
    ["config/namespace.yaml", yaml([namespaceManifest(values)])],
    ["config/rbac.yaml", yaml(rbacManifests(values))],
    ["config/operator.yaml", yaml([...operatorManifests(values), ...releaseWebhooks(values)])],
    ["config/target/rbac.yaml", yaml(targetManifests())],
    ["config/protection.yaml", yaml([disruptionBudget(values), networkPolicy(values)])],
    ["config/kustomization.yaml", yaml([kustomization])],
    ...chartFiles(),
  ]);
}
