// The CRDs of other projects, out of their own Go modules at pinned versions.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { downloadModule } from "./assets-build.ts";

const PROJECTS = {
  istio: { module: "istio.io/api@v1.31.1", path: "kubernetes/customresourcedefinitions.gen.yaml" },
  keda: { module: "github.com/kedacore/keda/v2@v2.21.0", path: "config/crd/bases" },
  "prometheus-operator": {
    module: "github.com/prometheus-operator/prometheus-operator@v0.85.0",
    path: "example/prometheus-operator-crd",
  },
  sloth: { module: "github.com/slok/sloth@v0.12.0", path: "pkg/kubernetes/gen/crd" },
  "external-secrets": {
    module: "github.com/external-secrets/external-secrets@v1.3.2",
    path: "deploy/crds/bundle.yaml",
  },
  "gateway-api": { module: "sigs.k8s.io/gateway-api@v1.6.0", path: "config/crd/standard" },
  "gateway-api-experimental": { module: "sigs.k8s.io/gateway-api@v1.6.0", path: "config/crd/experimental" },
  "datadog-operator": { module: "github.com/DataDog/datadog-operator@v1.30.0", path: "config/crd/bases/v1" },
  "worker-pod-autoscaler": {
    module: "github.com/practo/k8s-worker-pod-autoscaler@v1.6.0",
    path: "artifacts/crd.yaml",
  },
} as const;

export type CrdProject = keyof typeof PROJECTS;

/** The YAML files that hold a project's CRDs. */
export async function upstreamCrds(project: CrdProject): Promise<string[]> {
  const { module, path } = PROJECTS[project];
  const source = join(await downloadModule(module), path);
  if (path.endsWith(".yaml")) return [source];
  const files = await readdir(source);
  return files.filter(isManifest).map((file) => join(source, file));
}

function isManifest(file: string): boolean {
  return file.endsWith(".yaml") && file !== "kustomization.yaml";
}
