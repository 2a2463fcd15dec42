// The anchor: Argo Rollouts' controller, built from its own module and run as it is.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildModule, cacheFolder, downloadModule, keepGoMod } from "@chaski/test/kube";

const MODULE = "github.com/argoproj/argo-rollouts";
const VERSION = "v1.10.1";
const BINARY = "rollouts-controller";

/** The controller's path; built once, then cached. */
export async function argoController(log: (line: string) => void): Promise<string> {
  const folder = cacheFolder(process.env, `argo-rollouts-${VERSION}`);
  const path = join(folder, BINARY);
  const binaries = { [BINARY]: `${MODULE}/cmd/rollouts-controller` };
  const module = { path: MODULE, version: VERSION, binaries, ldflags: [], adaptGoMod: keepGoMod };
  if (!existsSync(path)) await buildModule(module, { folder, log });
  return path;
}

/** Its CRDs, as files. */
export async function argoCrds(): Promise<readonly string[]> {
  const folder = join(await downloadModule(`${MODULE}@${VERSION}`), "manifests/crds");
  const kinds = ["rollout", "analysis-run", "analysis-template", "cluster-analysis-template", "experiment"];
  return kinds.map((kind) => join(folder, `${kind}-crd.yaml`));
}
