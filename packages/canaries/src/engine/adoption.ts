import { Deployment } from "@chaski/kube";
import type { Entry } from "@chaski/runtime/decision";
import { adoptDeployment } from "../objects/deployment.ts";
import { type CanaryWorld, isControlledBy } from "./world.ts";

/** Nothing where the Deployment is this Canary's already: it keeps what the release that made it has set. */
export function adoption({ canary, owned }: CanaryWorld, name: string): Entry[] {
  const isOurs = owned.some(
    (object) => object.kind === Deployment.kind && object.metadata.name === name && isControlledBy(object, canary),
  );
  return isOurs ? [] : [adoptDeployment(canary, name)];
}
